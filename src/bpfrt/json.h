/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * json(): a machine that takes the document byte by byte, each turn of a
 * bpf_loop() one transition, so that what the kernel verifies is one transition
 * however long documents may be.  Its state is in the slot (json_work); which
 * of the open containers are objects, in a bit for each (dt_cfg.json_off).
 *
 * The selector is first rewritten in place: keys with KEY_END between them.
 * The key that is looked for next belongs in the container at depth `level`:
 * there, and only there, names are compared and elements counted.  When the
 * key is met and is not the last, its value must be a container, and level
 * goes up; when it is the last, its value is what is wanted, and taken when
 * it ends.  Everything else is only read to know where it ends, and that it is
 * JSON.  Nothing is ever looked for in two places, so nothing goes back.
 */

enum json_state {
	J_VALUE,		/* a value must follow */
	J_FIRST_VALUE,		/* a value, or the end of the array */
	J_NAME, J_FIRST_NAME,	/* the same in objects */
	J_COLON,
	J_AFTER,		/* behind a value: a comma, or the end */
	J_STRING, J_ESCAPE, J_HEX,
	J_WORD,			/* inside of true, false, null */
	J_WORD_END,
	J_MINUS, J_ZERO, J_INT, J_DOT, J_FRACTION, J_E, J_E_SIGN, J_EXPONENT,
};

enum { KEY_END = 1, NO_INDEX = 0xffffffff, NO_COMPARE = 0xffffffff };

struct json_work {
	u32 state;
	u32 depth;		/* containers that are open */
	u32 level;		/* of the one where the key belongs, from 1 */
	u32 key;		/* offset in the slot */
	u32 agree;		/* bytes of the key that the name begins with;
				 * NO_COMPARE: it is another */
	u32 index, want;	/* of the element; NO_INDEX: none is wanted */
	u32 next;		/* offset of the key behind the one just met */
	u32 met;		/* the name before is the key */
	u32 taking;		/* the value is being read */
	u32 take_depth;		/* where it stands */
	u32 begin, end;		/* of it, in the document; end 0: not found */
	u32 is_name;		/* of the string being read */
	u32 left;		/* J_HEX: digits to come */
	u32 word;		/* J_WORD: which, as its first letter */
	u32 at;			/* J_WORD: letters so far */
};
_Static_assert(sizeof(struct json_work) <=
	       sizeof(((struct abi_slot *)0)->work), "the state fits");

enum { GO = 0, STOP = 1 };	/* what a callback returns */

/* --- The selector ---------------------------------------------------------- */

struct key_work {
	u32 state;		/* enum below */
	u32 in, out;		/* offsets in the slot */
	u32 bad;
};

enum { K_START, K_NAME, K_DOT, K_OPEN, K_DIGITS, K_CLOSED };

INLINE bool
is_digit(u64 b)
{
	return b - '0' < 10;
}

INLINE void
key_put(char *slot, struct key_work *w, u64 b)
{
	u64 at = w->out++;

	OPAQUE(at);
	if (at < dt_cfg.slot_size)
		slot[at] = b;
}

/* What b, which is no bracket or dot, is part of; else bad. */
INLINE void
key_byte(char *slot, struct key_work *w, u64 b)
{
	bool index = w->state == K_OPEN || w->state == K_DIGITS;

	if (b < ' ' || w->state == K_CLOSED || (index && !is_digit(b)))
		w->bad = 1;
	w->state = index ? K_DIGITS : K_NAME;
	key_put(slot, w, b);
}

static long
key_step(u32 i, struct loop_ctx *c)
{
	struct key_work *w = WORK(key_work, c->slot);
	u64 b = byte_at(c->slot, w->in + i), state = w->state;
	bool ended = state == K_NAME || state == K_CLOSED;

	if (!b) {
		w->bad |= !ended;
		return STOP;
	}
	if (b == ']') {
		w->bad |= state != K_DIGITS;
		w->state = K_CLOSED;
	} else if (b == '.' || b == '[') {
		w->bad |= !ended && (b == '.' || state != K_START);
		w->state = b == '.' ? K_DOT : K_OPEN;
		if (state != K_START)
			key_put(c->slot, w, KEY_END);
	} else {
		key_byte(c->slot, w, b);
	}
	return GO;
}

/* Rewrite the selector at off.  Is it one? */
INLINE bool
keys_ok(char *slot, u64 off)
{
	struct key_work *w = WORK(key_work, slot);
	struct loop_ctx ctx = { slot };

	*w = (struct key_work){ .in = off, .out = off };
	slot_loop(slot, dt_cfg.strsize, key_step, &ctx);
	key_put(slot, w, 0);
	return !w->bad;
}

/* --- The document ---------------------------------------------------------- */

/* The word with the bit of the container at this depth; NULL: never. */
INLINE u64 *
open_word(char *slot, u64 depth)
{
	u64 off = dt_cfg.json_off + (depth >> 6) * 8;

	OPAQUE(off);
	if (off > dt_cfg.slot_size - 8)
		return NULL;
	return (u64 *)(slot + off);
}

INLINE bool
in_object(char *slot, struct json_work *w)
{
	u64 *word = open_word(slot, w->depth);

	return word && *word >> (w->depth & 63) & 1;
}

/* Are names compared and elements counted here? */
INLINE bool
is_level(struct json_work *w)
{
	return w->depth == w->level && !w->taking;
}

INLINE bool
is_blank(u64 b)
{
	return b == ' ' || b == '\t' || b == '\n' || b == '\r';
}

/* Which element the key is, and where the next key stands. */
INLINE void
read_index(char *slot, struct json_work *w)
{
	u32 v = 0;

	w->index = 0;
	w->want = NO_INDEX;
#pragma unroll
	for (int i = 0; i <= 8; i++) {
		u64 b = byte_at(slot, w->key + i);
		if (b <= KEY_END && i) {
			w->want = v;
			w->next = w->key + i;
			return;
		}
		if (!is_digit(b))
			return;
		v = v * 10 + (b - '0');
	}
}

INLINE void
open_container(char *slot, struct json_work *w, bool object)
{
	w->depth++;
	u64 *word = open_word(slot, w->depth), bit = 1ULL << (w->depth & 63);
	if (word)
		*word = object ? *word | bit : *word & ~bit;
	w->state = object ? J_FIRST_NAME : J_FIRST_VALUE;
	if (!object && is_level(w))
		read_index(slot, w);
}

/* A value begins with byte b at i.  Is it on the path, and all right so? */
INLINE bool
choose(char *slot, struct json_work *w, u64 i, u64 b)
{
	bool container = b == '{' || b == '[';

	if (!w->depth)
		return container;
	if (!is_level(w) ||
	    !(in_object(slot, w) ? w->met : w->index == w->want))
		return true;
	if (byte_at(slot, w->next) == KEY_END) {
		w->key = w->next + 1;
		w->level++;
		return container;
	}
	w->taking = 1;
	w->take_depth = w->depth;
	w->begin = i + (b == '"');
	return true;
}

INLINE long
begin_value(char *slot, struct json_work *w, u64 i, u64 b)
{
	if (!choose(slot, w, i, b))
		return STOP;
	w->is_name = 0;
	w->word = b;
	w->at = 1;
	if (b == '{' || b == '[')
		open_container(slot, w, b == '{');
	else if (b == '"')
		w->state = J_STRING;
	else if (b == '-')
		w->state = J_MINUS;
	else if (b == '0')
		w->state = J_ZERO;
	else if (is_digit(b))
		w->state = J_INT;
	else if (b == 't' || b == 'f' || b == 'n')
		w->state = J_WORD;
	else
		return STOP;
	return GO;
}

/* A value ends before end. */
INLINE long
end_value(struct json_work *w, u64 end)
{
	w->state = J_AFTER;
	if (!w->taking || w->depth != w->take_depth)
		return GO;
	w->end = end;
	return STOP;
}

INLINE long
close_container(char *slot, struct json_work *w, u64 i, u64 b)
{
	if (b != (in_object(slot, w) ? '}' : ']') || is_level(w))
		return STOP;
	w->depth--;
	return end_value(w, i + 1);
}

INLINE long
after_value(char *slot, struct json_work *w, u64 i, u64 b)
{
	if (b != ',')
		return close_container(slot, w, i, b);
	w->state = in_object(slot, w) ? J_NAME : J_VALUE;
	w->index += is_level(w);
	return GO;
}

INLINE long
begin_name(struct json_work *w, u64 b)
{
	if (b != '"')
		return STOP;
	w->state = J_STRING;
	w->is_name = 1;
	w->met = 0;
	w->agree = is_level(w) ? 0 : NO_COMPARE;
	return GO;
}

/* Between the parts of values. */
INLINE long
between(char *slot, struct json_work *w, u64 i, u64 b)
{
	u64 state = w->state;

	if (is_blank(b))
		return GO;
	if (state == J_AFTER)
		return after_value(slot, w, i, b);
	if (state == J_COLON) {
		w->state = J_VALUE;
		return b == ':' ? GO : STOP;
	}
	if ((state == J_FIRST_VALUE && b == ']') ||
	    (state == J_FIRST_NAME && b == '}'))
		return close_container(slot, w, i, b);
	if (state == J_NAME || state == J_FIRST_NAME)
		return begin_name(w, b);
	return begin_value(slot, w, i, b);
}

INLINE long
end_string(char *slot, struct json_work *w, u64 i)
{
	if (!w->is_name)
		return end_value(w, i);
	w->state = J_COLON;
	if (w->agree != NO_COMPARE) {
		w->next = w->key + w->agree;
		w->met = byte_at(slot, w->next) <= KEY_END;
	}
	return GO;
}

INLINE bool
is_hex(u64 b)
{
	return is_digit(b) || (b | 0x20) - 'a' < 6;
}

/* Behind a backslash. */
INLINE long
escaped(struct json_work *w, u64 b)
{
	if (b == 'u') {
		w->state = J_HEX;
		w->left = 4;
		return GO;
	}
	w->state = J_STRING;
	return b == '"' || b == '\\' || b == '/' || b == 'b' || b == 'f' ||
	       b == 'n' || b == 'r' || b == 't' ? GO : STOP;
}

INLINE long
in_string(char *slot, struct json_work *w, u64 i, u64 b)
{
	if (b < ' ')
		return STOP;
	if (w->state == J_STRING && b == '"')
		return end_string(slot, w, i);
	if (w->is_name && w->agree != NO_COMPARE) {
		u64 k = byte_at(slot, w->key + w->agree);
		w->agree = k == b ? w->agree + 1 : NO_COMPARE;
	}
	if (w->state == J_ESCAPE)
		return escaped(w, b);
	if (w->state == J_HEX) {
		w->left--;
		w->state = w->left ? J_HEX : J_STRING;
		return is_hex(b) ? GO : STOP;
	}
	if (b == '\\')
		w->state = J_ESCAPE;
	return GO;
}

/* Letter n of the word that begins with this one, 0 behind it. */
INLINE u64
letter(u64 word, u64 n)
{
	u64 text = word == 't' ? 0x65757274 :		/* true */
		   word == 'n' ? 0x6c6c756e :		/* null */
				 0x65736c6166;		/* false */

	return n < 8 ? text >> 8 * n & 0xff : 0;
}

INLINE long
in_word(struct json_work *w, u64 b)
{
	if (b != letter(w->word, w->at))
		return STOP;
	w->at++;
	if (!letter(w->word, w->at))
		w->state = J_WORD_END;
	return GO;
}

/* The state of a number behind byte b; J_AFTER: it may end before b, J_VALUE:
 * it may not. */
INLINE u64
number_state(u64 state, u64 b)
{
	bool digit = is_digit(b), e = (b | 0x20) == 'e';

	switch (state) {
	case J_MINUS:
		return b == '0' ? J_ZERO : digit ? J_INT : J_VALUE;
	case J_ZERO:
		return b == '.' ? J_DOT : e ? J_E : J_AFTER;
	case J_INT:
		return digit ? J_INT : b == '.' ? J_DOT : e ? J_E : J_AFTER;
	case J_DOT:
		return digit ? J_FRACTION : J_VALUE;
	case J_FRACTION:
		return digit ? J_FRACTION : e ? J_E : J_AFTER;
	case J_E:
		return digit ? J_EXPONENT : b == '+' || b == '-' ? J_E_SIGN :
		       J_VALUE;
	case J_E_SIGN:
		return digit ? J_EXPONENT : J_VALUE;
	default:
		return digit ? J_EXPONENT : J_AFTER;
	}
}

/* Numbers and words end where something else may begin, at b. */
INLINE long
end_scalar(char *slot, struct json_work *w, u64 i, u64 b)
{
	if (!is_blank(b) && b != ',' && b != ']' && b != '}')
		return STOP;
	if (end_value(w, i) == STOP)
		return STOP;
	return is_blank(b) ? GO : after_value(slot, w, i, b);
}

static long
json_step(u32 i, struct loop_ctx *c)
{
	struct json_work *w = WORK(json_work, c->slot);
	u64 b = byte_at(c->slot, (u64)dt_cfg.tmp_off + i), state = w->state;

	if (state <= J_AFTER)
		return between(c->slot, w, i, b);
	if (state <= J_HEX)
		return in_string(c->slot, w, i, b);
	if (state == J_WORD)
		return in_word(w, b);
	if (state != J_WORD_END) {
		state = number_state(state, b);
		if (state != J_AFTER) {
			w->state = state;
			return state == J_VALUE ? STOP : GO;
		}
	}
	return end_scalar(c->slot, w, i, b);
}

RT u64
rt_json(u64 index, u64 a, u64 b)
{
	char *slot = slot_get(index);
	struct loop_ctx ctx = { slot };

	if (!slot)
		return 0;
	u64 off = dt_cfg.tmp_off, sel = off + str_stride();
	s64 n = str_fetch(slot, off, a);
	if (n < 0 || str_fetch(slot, sel, b) < 0 || !keys_ok(slot, sel))
		return 0;
	struct json_work *w = WORK(json_work, slot);
	*w = (struct json_work){ .state = J_VALUE, .level = 1, .key = sel };
	slot_loop(slot, n, json_step, &ctx);
	return w->end ? str_cut(slot, off, w->begin, w->end) : 0;
}
