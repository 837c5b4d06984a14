BEGIN { x = this->n++ + (this->n++ + (this->n++ + (this->n++ + (this->n++ + (this->n++ + (this->n++ + (this->n++ + (this->n++ + this->n++)))))))); }
