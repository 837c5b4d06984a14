/* Zooming and searching.  A frame knows its place as parts of the whole: x and
 * width from 0 to 1, depth from the root. */
(function () {
	const svg = document.querySelector('svg');
	const query = document.getElementById('q');
	const at = document.getElementById('at');
	const found = document.getElementById('found');
	if (!svg)
		return;

	/* As title there is the name, with its module, a dash, and numbers. */
	const frames = [...svg.querySelectorAll('g')].map(g => {
		const [title, rect, text] = g.children;
		const whole = title.textContent;
		const name = whole.slice(0, whole.lastIndexOf(' \u2014 '));
		return {
			g, rect, text, name, label: g.dataset.f || name,
			x: +g.dataset.x, width: +g.dataset.w, depth: +g.dataset.d,
		};
	});
	const all = frames[0], tiny = 1e-9;
	let top = all;

	function has(outer, f) {
		return f.x >= outer.x - tiny && f.x + f.width <= outer.x + outer.width + tiny;
	}

	function place(f, x, width, pixels) {
		f.rect.setAttribute('x', 100 * x + '%');
		f.rect.setAttribute('width', 100 * width + '%');
		f.text.setAttribute('x', 100 * x + '%');
		const chars = Math.floor((width * pixels - 6) / 7.3);
		f.text.textContent = chars < 3 ? '' :
			f.label.length <= chars ? f.label : f.label.slice(0, chars - 2) + '..';
	}

	/* Frames outside what is zoomed to are hidden; its callers are as wide as the
	 * picture. */
	function lay() {
		const pixels = svg.clientWidth || 1200;
		for (const f of frames) {
			const up = f.depth < top.depth && has(f, top);
			const inside = f.depth >= top.depth && has(top, f);
			f.g.style.display = up || inside ? '' : 'none';
			f.g.classList.toggle('up', up);
			if (up)
				place(f, 0, 1, pixels);
			else if (inside)
				place(f, (f.x - top.x) / top.width, f.width / top.width, pixels);
		}
	}

	function expression(text) {
		try {
			return text ? new RegExp(text, 'i') : null;
		} catch {
			return null;	/* it is still being typed */
		}
	}

	/* What lies under a frame that was found already does not count again. */
	function search() {
		const re = expression(query.value), hits = [];
		for (const f of frames) {
			const hit = !!re && f.depth > 0 && re.test(f.name);
			f.g.classList.toggle('hit', hit);
			if (hit)
				hits.push(f);
		}
		hits.sort((a, b) => a.x - b.x || a.depth - b.depth);
		let sum = 0, end = -1;
		for (const f of hits)
			if (f.x >= end - 1e-12) {
				sum += f.width;
				end = f.x + f.width;
			}
		found.textContent = re ? (100 * sum).toFixed(2) + '% in ' + hits.length + ' frames' : '';
	}

	svg.addEventListener('click', e => {
		const g = e.target.closest('g');
		if (g) {
			top = frames.find(f => f.g === g);
			lay();
		}
	});
	svg.addEventListener('mouseover', e => {
		const g = e.target.closest('g');
		at.textContent = g ? g.children[0].textContent : '';
	});
	query.addEventListener('input', search);
	document.getElementById('reset').addEventListener('click', () => {
		top = all;
		query.value = '';
		lay();
		search();
	});
	window.addEventListener('resize', lay);
	lay();
})();
