/* Records as protobuf fields, by tables: the compiled twin of PureLayout in layout.py; and the
   reader of plain answers, described in answers.py.

   layout.py says what the kinds of fields mean; both must write the same bytes. Nothing here knows
   a game, and nothing is kept between two calls. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>
#include <stdint.h>
#include <string.h>

enum kind {
    NUMBER, OPTIONAL, ENUM, COUNTS, INDICES, ENUMS, ONE_ENUM, NAME, CONSTANT, MESSAGE, MESSAGES, ROWS, CHOICE,
    FIELDS, SUMS
};

#define MOST_TYPES 64 /* of cards in a multiset, as in games/counts.py */
#define MOST_CARDS (MOST_TYPES * 255 + 8) /* with what is written behind the last */
#define MOST_DEPTH 16 /* of tables within tables */
#define VARINT_SIZE 10 /* bytes of the longest number */
#define FIXED_SIZE 8 /* bytes that are copied at once: the longest tag has five */
#define NO_ROW (-1)
#define NO_VALUE UINT64_MAX

typedef struct {
    unsigned char tag[FIXED_SIZE]; /* of a short constant: itself */
    size_t tag_size;
    int kind;
    Py_ssize_t place;    /* in a tuple, if there is no name; below 0: the record itself */
    PyObject *name;      /* of an attribute, or NULL */
    PyTypeObject *owner; /* whose attribute is a slot, borrowed from the CHOICE that has it; or NULL */
    Py_ssize_t offset;   /* of that slot */
    PyObject *inner;     /* a Layout, a dict of Layouts by type, a dict of numbers, bytes, or NULL */
} Field;

typedef struct {
    PyObject_HEAD
    Py_ssize_t size;
    Field *fields;
} Layout;

/* What is being written: on the stack until it is longer than most messages are. */
typedef struct {
    unsigned char *start;
    size_t size;
    size_t room;
    unsigned char local[2 * MOST_CARDS];
} Buffer;

static int write_fields(Buffer *buffer, const Layout *layout, PyObject *record, Py_ssize_t row);

/* Bytes */

static int
grow(Buffer *buffer, size_t more)
{
    if (more > PY_SSIZE_T_MAX / 4 || buffer->room > PY_SSIZE_T_MAX / 4) {
        PyErr_NoMemory();
        return -1;
    }
    size_t room = 2 * buffer->room + more;
    unsigned char *start = PyMem_Realloc(buffer->start == buffer->local ? NULL : buffer->start, room);
    if (start == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    if (buffer->start == buffer->local)
        memcpy(start, buffer->local, buffer->size);
    buffer->start = start;
    buffer->room = room;
    return 0;
}

static inline int
reserve(Buffer *buffer, size_t more)
{
    return buffer->room - buffer->size >= more ? 0 : grow(buffer, more);
}

static inline size_t
put_varint(unsigned char *at, uint64_t value)
{
    size_t size = 0;
    while (value > 0x7F) {
        at[size++] = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    at[size++] = (unsigned char)value;
    return size;
}

static inline int
write_tag(Buffer *buffer, const Field *field, size_t more)
{
    if (reserve(buffer, FIXED_SIZE + more) < 0)
        return -1;
    memcpy(buffer->start + buffer->size, field->tag, FIXED_SIZE); /* a fixed size needs no call */
    buffer->size += field->tag_size;
    return 0;
}

static int
write_bytes(Buffer *buffer, PyObject *bytes)
{
    size_t size = (size_t)PyBytes_GET_SIZE(bytes);
    if (reserve(buffer, size) < 0)
        return -1;
    memcpy(buffer->start + buffer->size, PyBytes_AS_STRING(bytes), size);
    buffer->size += size;
    return 0;
}

static inline int
write_constant(Buffer *buffer, const Field *field)
{
    return field->inner == NULL ? write_tag(buffer, field, 0) : write_bytes(buffer, field->inner);
}

/* Begin something that has its length in front; one byte is left for it, which mostly suffices. */
static inline int
begin(Buffer *buffer, const Field *field, size_t *from)
{
    if (write_tag(buffer, field, 1) < 0)
        return -1;
    *from = ++buffer->size;
    return 0;
}

static int
end_long(Buffer *buffer, size_t from)
{
    unsigned char length[VARINT_SIZE];
    size_t body = buffer->size - from;
    size_t size = put_varint(length, body);
    if (reserve(buffer, size - 1) < 0)
        return -1;
    memmove(buffer->start + from + size - 1, buffer->start + from, body);
    memcpy(buffer->start + from - 1, length, size);
    buffer->size += size - 1;
    return 0;
}

static inline int
end(Buffer *buffer, size_t from)
{
    size_t body = buffer->size - from;
    if (body > 0x7F)
        return end_long(buffer, from);
    buffer->start[from - 1] = (unsigned char)body;
    return 0;
}

/* Numbers and lists */

static int
as_long_number(PyObject *value, uint64_t *number)
{
    if (!PyLong_Check(value)) {
        PyErr_Format(PyExc_TypeError, "%R cannot be written: it is no number", value);
        return -1;
    }
    *number = PyLong_AsUnsignedLongLong(value);
    if (*number == (uint64_t)-1 && PyErr_Occurred()) {
        PyErr_Format(PyExc_ValueError, "%R cannot be written: it is negative or too large", value);
        return -1;
    }
    return 0;
}

static inline int
as_number(PyObject *value, uint64_t *number)
{
#if PY_VERSION_HEX < 0x030C0000
    if (PyLong_Check(value) && (size_t)Py_SIZE(value) <= 1) { /* as nearly all of them */
        *number = Py_SIZE(value) == 0 ? 0 : ((PyLongObject *)value)->ob_digit[0];
        return 0;
    }
#endif
    return as_long_number(value, number);
}

static inline int
write_number(Buffer *buffer, const Field *field, uint64_t number)
{
    if (write_tag(buffer, field, VARINT_SIZE) < 0)
        return -1;
    buffer->size += put_varint(buffer->start + buffer->size, number);
    return 0;
}

static int
write_one_up(Buffer *buffer, PyObject *value)
{
    uint64_t number;
    if (as_number(value, &number) < 0 || reserve(buffer, VARINT_SIZE) < 0)
        return -1;
    if (number == UINT64_MAX) {
        PyErr_Format(PyExc_ValueError, "%R cannot be written: it is too large", value);
        return -1;
    }
    buffer->size += put_varint(buffer->start + buffer->size, number + 1);
    return 0;
}

static inline unsigned
lowest_bit(uint64_t word)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(word);
#else
    unsigned bit = 0;
    while (!(word >> bit & 1))
        bit++;
    return bit;
#endif
}

/* Put each card of eight lanes as often as it is there, that of the lowest lane as `card`; return
   where they end. Eight bytes more than that may be written. */
static inline unsigned char *
put_lanes(unsigned char *at, uint64_t lanes, unsigned card)
{
    while (lanes != 0) {
        unsigned missing = lowest_bit(lanes) / 8;
        lanes >>= 8 * missing;
        card += missing;
        unsigned count = lanes & 0xFF;
        uint64_t copies = card * UINT64_C(0x0101010101010101); /* mostly enough of them, and at once */
        memcpy(at, &copies, sizeof copies);
        if (count > sizeof copies)
            memset(at, (int)card, count);
        at += count;
        lanes >>= 8;
        card++;
    }
    return at;
}

/* Put the cards of a multiset, in rising order, the lowest type as `first`; return where they end,
   NULL if it is none. It has eight bits for each type, the lowest first. There must be room for
   MOST_CARDS. */
static unsigned char *
put_multiset(unsigned char *at, PyObject *value, unsigned first)
{
    if (!PyLong_Check(value)) {
        PyErr_Format(PyExc_TypeError, "%R cannot be written: it is no multiset", value);
        return NULL;
    }
#if PY_VERSION_HEX < 0x030C0000 && PYLONG_BITS_IN_DIGIT == 30
    /* Digit by digit: there are dozens of multisets in a message, and Python reads byte by byte. */
    const digit *digits = ((PyLongObject *)value)->ob_digit;
    Py_ssize_t size = Py_SIZE(value);
    const Py_ssize_t most = (8 * MOST_TYPES + 29) / 30;
    if (size < 0 || size > most || (size == most && digits[most - 1] >> (8 * MOST_TYPES - 30 * (most - 1))))
        goto refuse;
    unsigned bits = 0; /* of the lanes that are being filled */
    uint64_t lanes = 0;
    for (Py_ssize_t i = 0; i < size; i++) {
        lanes |= (uint64_t)digits[i] << bits;
        bits += 30;
        if (bits >= 64) {
            bits -= 64;
            at = put_lanes(at, lanes, first);
            lanes = digits[i] >> (30 - bits);
            first += 8;
        }
    }
    return put_lanes(at, lanes, first);
#else
    unsigned char bytes[MOST_TYPES] = {0};
#if PY_VERSION_HEX >= 0x030D0000
    Py_ssize_t needed = PyLong_AsNativeBytes(
        value, bytes, MOST_TYPES,
        Py_ASNATIVEBYTES_LITTLE_ENDIAN | Py_ASNATIVEBYTES_UNSIGNED_BUFFER | Py_ASNATIVEBYTES_REJECT_NEGATIVE);
    if (needed < 0 || needed > MOST_TYPES)
        goto refuse;
#else
    size_t needed = _PyLong_Sign(value) < 0 ? MOST_TYPES + 1 : (_PyLong_NumBits(value) + 7) / 8;
    if (needed > MOST_TYPES || _PyLong_AsByteArray((PyLongObject *)value, bytes, needed, 1, 0) < 0)
        goto refuse;
#endif
    for (unsigned from = 0; from < MOST_TYPES; from += 8) {
        uint64_t lanes = 0;
        for (unsigned lane = 0; lane < 8; lane++)
            lanes |= (uint64_t)bytes[from + lane] << 8 * lane;
        at = put_lanes(at, lanes, first + from);
    }
    return at;
#endif
refuse:
    PyErr_Format(PyExc_ValueError, "%R cannot be written: it is no multiset", value);
    return NULL;
}

/* Say without a call that a multiset is hidden or empty, as many are; not all of those are found. */
static inline int
is_nothing(PyObject *value)
{
#if PY_VERSION_HEX < 0x030C0000
    if (PyLong_CheckExact(value))
        return Py_SIZE(value) == 0;
#endif
    return value == Py_None;
}

static int
write_counts(Buffer *buffer, const Field *field, PyObject *value, unsigned first)
{
    size_t before = buffer->size, from;
    if (begin(buffer, field, &from) < 0 || reserve(buffer, MOST_CARDS) < 0)
        return -1;
    unsigned char *at = put_multiset(buffer->start + from, value, first);
    if (at == NULL)
        return -1;
    buffer->size = (size_t)(at - buffer->start);
    if (buffer->size > from)
        return end(buffer, from);
    buffer->size = before; /* an empty one is left out */
    return 0;
}

static int
write_enums(Buffer *buffer, const Field *field, PyObject *value)
{
    size_t from;
    PyObject *numbers = PySequence_Fast(value, "a list of numbers must be a sequence");
    if (numbers == NULL)
        return -1;
    int status = 0;
    if (PySequence_Fast_GET_SIZE(numbers) > 0) {
        status = begin(buffer, field, &from);
        for (Py_ssize_t i = 0; status == 0 && i < PySequence_Fast_GET_SIZE(numbers); i++)
            status = write_one_up(buffer, PySequence_Fast_GET_ITEM(numbers, i));
        if (status == 0)
            status = end(buffer, from);
    }
    Py_DECREF(numbers);
    return status;
}

/* Messages */

static int
write_message(Buffer *buffer, const Field *field, const Layout *layout, PyObject *record, Py_ssize_t row)
{
    size_t from;
    if (begin(buffer, field, &from) < 0 || write_fields(buffer, layout, record, row) < 0)
        return -1;
    return end(buffer, from);
}

static int
write_messages(Buffer *buffer, const Field *field, PyObject *value)
{
    if (PyTuple_CheckExact(value) && PyTuple_GET_SIZE(value) == 0)
        return 0;
    PyTypeObject *type = NULL;
    PyObject *layout = field->inner;
    PyObject *records = PySequence_Fast(value, "repeated messages must be a sequence");
    if (records == NULL)
        return -1;
    int status = 0;
    /* Reading an attribute may run any code, so nothing is taken for granted about the list. */
    for (Py_ssize_t i = 0; status == 0 && i < PySequence_Fast_GET_SIZE(records); i++) {
        PyObject *record = Py_NewRef(PySequence_Fast_GET_ITEM(records, i));
        if (field->kind == CHOICE && Py_TYPE(record) != type) { /* most are as the one before */
            type = Py_TYPE(record);
            layout = PyDict_GetItemWithError(field->inner, (PyObject *)Py_TYPE(record));
            if (layout == NULL && !PyErr_Occurred())
                PyErr_Format(PyExc_TypeError, "%R cannot be written here", record);
        }
        status = layout == NULL ? -1 : write_message(buffer, field, (Layout *)layout, record, NO_ROW);
        Py_DECREF(record);
    }
    Py_DECREF(records);
    return status;
}

/* Sums: parts are read once, since each goes into many. */

typedef struct {
    uint64_t value;
    size_t from; /* its cards, in rising order, in the buffer of all */
    size_t cards;
    Py_ssize_t next; /* of the other parts: the first that has not been added to it */
} Part;

/* Read parts at a place of a tuple and their values behind them: sequences of the same length. */
static Part *
read_parts(PyObject *sums, Py_ssize_t place, Buffer *cards, unsigned first, Py_ssize_t *size)
{
    PyObject *sets = PySequence_Fast(PyTuple_GET_ITEM(sums, place), "parts must be a sequence");
    PyObject *worths =
        sets == NULL ? NULL : PySequence_Fast(PyTuple_GET_ITEM(sums, place + 1), "values must be a sequence");
    Part *made = NULL;
    if (worths != NULL && PySequence_Fast_GET_SIZE(sets) != PySequence_Fast_GET_SIZE(worths))
        PyErr_SetString(PyExc_ValueError, "parts and their values must be equally many");
    else if (worths != NULL) {
        *size = PySequence_Fast_GET_SIZE(sets);
        made = PyMem_Malloc(((size_t)*size + 1) * sizeof(Part));
        if (made == NULL)
            PyErr_NoMemory();
    }
    for (Py_ssize_t i = 0; made != NULL && i < *size; i++) {
        /* Only a complaint about one of them runs other code, and then nothing more is read. */
        PyObject *worth = Py_NewRef(PySequence_Fast_GET_ITEM(worths, i));
        PyObject *part = Py_NewRef(PySequence_Fast_GET_ITEM(sets, i));
        int status = as_number(worth, &made[i].value);
        if (status == 0)
            status = reserve(cards, MOST_CARDS);
        unsigned char *at = status < 0 ? NULL : put_multiset(cards->start + cards->size, part, first);
        Py_DECREF(worth);
        Py_DECREF(part);
        if (at == NULL) {
            PyMem_Free(made);
            made = NULL;
            break;
        }
        made[i].from = cards->size;
        made[i].cards = (size_t)(at - cards->start) - cards->size;
        made[i].next = 0;
        cards->size += made[i].cards;
    }
    Py_XDECREF(sets);
    Py_XDECREF(worths);
    return made;
}

static int
write_sum(Buffer *buffer, const Field *field, const unsigned char *cards, const Part *part, const Part *other)
{
    const Field *constant = ((Layout *)field->inner)->fields, *counts = constant + 1;
    size_t from, number = part->cards + other->cards;
    if (begin(buffer, field, &from) < 0 || write_constant(buffer, constant) < 0)
        return -1;
    if (number > 0) {
        if (write_tag(buffer, counts, VARINT_SIZE + number) < 0)
            return -1;
        unsigned char *at = buffer->start + buffer->size;
        at += put_varint(at, number);
        const unsigned char *a = cards + part->from, *b = cards + other->from;
        const unsigned char *a_end = a + part->cards, *b_end = b + other->cards;
        while (a < a_end && b < b_end)
            *at++ = *a <= *b ? *a++ : *b++;
        while (a < a_end)
            *at++ = *a++;
        while (b < b_end)
            *at++ = *b++;
        buffer->size = (size_t)(at - buffer->start);
    }
    return end(buffer, from);
}

/* Write all sums of a value, and change it to the next higher one that there is, or to NO_VALUE. */
static int
write_sums_of(Buffer *buffer, const Field *field, const unsigned char *cards, Part *parts, Py_ssize_t size,
              const Part *others, Py_ssize_t other_size, uint64_t *value)
{
    uint64_t next = NO_VALUE;
    for (Part *part = parts; part < parts + size; part++) {
        Py_ssize_t place = part->next;
        for (; place < other_size && part->value + others[place].value == *value; place++)
            if (write_sum(buffer, field, cards, part, &others[place]) < 0)
                return -1;
        part->next = place;
        if (place < other_size) {
            uint64_t total = part->value + others[place].value;
            next = total < next ? total : next;
        }
    }
    *value = next;
    return 0;
}

static int
write_sums(Buffer *buffer, const Field *field, PyObject *record)
{
    uint64_t at_least;
    if (!PyTuple_Check(record) || PyTuple_GET_SIZE(record) != 5) {
        PyErr_Format(PyExc_TypeError, "%R cannot be written: sums have parts, values, others, values, least", record);
        return -1;
    }
    if (as_number(PyTuple_GET_ITEM(record, 4), &at_least) < 0)
        return -1;
    Buffer cards;
    cards.start = cards.local;
    cards.size = 0;
    cards.room = sizeof cards.local;
    unsigned first = ((Layout *)field->inner)->fields[1].kind == COUNTS;
    Py_ssize_t size = 0, other_size = 0;
    Part *mine = read_parts(record, 0, &cards, first, &size);
    Part *more = mine == NULL ? NULL : read_parts(record, 2, &cards, first, &other_size);
    int status = more == NULL ? -1 : 0;
    for (Py_ssize_t i = 0; status == 0 && i < size + other_size; i++) {
        const Part *part = i < size ? &mine[i] : &more[i - size];
        if (part->value > UINT32_MAX) {
            PyErr_SetString(PyExc_ValueError, "a value of a part cannot be so large");
            status = -1;
        }
        else if (i > size && part->value < part[-1].value) {
            PyErr_SetString(PyExc_ValueError, "the other parts must come by rising value");
            status = -1;
        }
    }
    uint64_t value = NO_VALUE; /* the lowest that there is */
    for (Py_ssize_t i = 0; status == 0 && i < size; i++) {
        while (mine[i].next < other_size && mine[i].value + more[mine[i].next].value < at_least)
            mine[i].next++;
        if (mine[i].next < other_size) {
            uint64_t total = mine[i].value + more[mine[i].next].value;
            value = total < value ? total : value;
        }
    }
    while (status == 0 && value != NO_VALUE)
        status = write_sums_of(buffer, field, cards.start, mine, size, more, other_size, &value);
    PyMem_Free(mine);
    PyMem_Free(more);
    if (cards.start != cards.local)
        PyMem_Free(cards.start);
    return status;
}

/* Return the values of a place by row, as a borrowed reference. */
static PyObject *
column(PyObject *record, Py_ssize_t place)
{
    if (!PyTuple_Check(record) || place < 0 || place >= PyTuple_GET_SIZE(record) ||
        !PyTuple_Check(PyTuple_GET_ITEM(record, place))) {
        PyErr_Format(PyExc_TypeError, "a record must be a tuple with a tuple at %zd", place);
        return NULL;
    }
    return PyTuple_GET_ITEM(record, place);
}

static int
write_rows(Buffer *buffer, const Field *field, PyObject *record)
{
    const Layout *layout = (Layout *)field->inner;
    Py_ssize_t rows = 0;
    for (Py_ssize_t i = 0; i < layout->size; i++) {
        PyObject *values = column(record, layout->fields[i].place);
        if (values == NULL)
            return -1;
        if (i == 0)
            rows = PyTuple_GET_SIZE(values);
        else if (PyTuple_GET_SIZE(values) != rows) {
            PyErr_SetString(PyExc_ValueError, "the columns of a record must be equally long");
            return -1;
        }
    }
    for (Py_ssize_t row = 0; row < rows; row++)
        if (write_message(buffer, field, layout, record, row) < 0)
            return -1;
    return 0;
}

/* Fields */

/* Return an attribute as a new reference: from where it is, if that is known. */
static inline PyObject *
attribute(const Field *field, PyObject *record)
{
    if (Py_TYPE(record) == field->owner) {
        PyObject *value = *(PyObject **)((char *)record + field->offset);
        if (value != NULL)
            return Py_NewRef(value);
    }
    return PyObject_GetAttr(record, field->name);
}

static int
write_other_value(Buffer *buffer, const Field *field, PyObject *value)
{
    uint64_t number;
    size_t from;
    PyObject *found;
    switch (field->kind) {
    case ENUM:
        if (value == Py_None)
            return 0;
        return write_tag(buffer, field, 0) < 0 ? -1 : write_one_up(buffer, value);
    case COUNTS:
        return is_nothing(value) ? 0 : write_counts(buffer, field, value, 1);
    case INDICES:
        return is_nothing(value) ? 0 : write_counts(buffer, field, value, 0);
    case ENUMS:
        return write_enums(buffer, field, value);
    case ONE_ENUM:
        if (begin(buffer, field, &from) < 0 || write_one_up(buffer, value) < 0)
            return -1;
        return end(buffer, from);
    case NAME:
        found = PyDict_GetItemWithError(field->inner, value);
        if (found == NULL && !PyErr_Occurred())
            PyErr_SetObject(PyExc_KeyError, value);
        if (found == NULL || as_number(found, &number) < 0)
            return -1;
        return number == 0 ? 0 : write_number(buffer, field, number);
    case MESSAGE:
        return write_message(buffer, field, (Layout *)field->inner, value, NO_ROW);
    case FIELDS:
        if (PyBytes_Check(value))
            return write_bytes(buffer, value);
        PyErr_Format(PyExc_TypeError, "%R cannot be written: it is no bytes", value);
        return -1;
    case SUMS:
        return write_sums(buffer, field, value);
    default: /* MESSAGES, CHOICE */
        return write_messages(buffer, field, value);
    }
}

/* Most values are numbers. */
static inline int
write_value(Buffer *buffer, const Field *field, PyObject *value)
{
    uint64_t number;
    if (field->kind > OPTIONAL)
        return write_other_value(buffer, field, value);
    if (field->kind == OPTIONAL && value == Py_None)
        return 0;
    if (as_number(value, &number) < 0)
        return -1;
    return field->kind == NUMBER && number == 0 ? 0 : write_number(buffer, field, number);
}

static int
write_fields(Buffer *buffer, const Layout *layout, PyObject *record, Py_ssize_t row)
{
    const Field *end = layout->fields + layout->size;
    for (const Field *field = layout->fields; field < end; field++) {
        int status;
        if (field->kind == CONSTANT)
            status = write_constant(buffer, field);
        else if (field->kind == ROWS)
            status = write_rows(buffer, field, record);
        else if (row != NO_ROW) /* write_rows has looked at all columns, and tuples stay as they are */
            status = write_value(buffer, field, PyTuple_GET_ITEM(PyTuple_GET_ITEM(record, field->place), row));
        else if (field->name != NULL) {
            PyObject *value = attribute(field, record);
            status = value == NULL ? -1 : write_value(buffer, field, value);
            Py_XDECREF(value);
        }
        else if (field->place < 0)
            status = write_value(buffer, field, record);
        else if (PyTuple_Check(record) && field->place < PyTuple_GET_SIZE(record))
            status = write_value(buffer, field, PyTuple_GET_ITEM(record, field->place));
        else {
            PyErr_Format(PyExc_TypeError, "a record must be a tuple with a value at %zd", field->place);
            status = -1;
        }
        if (status < 0)
            return -1;
    }
    return 0;
}

/* The type */

static PyObject *make_layout(PyTypeObject *type, PyObject *table, PyTypeObject *owner, int depth);

static int
is_constant_and_counts(const Layout *layout)
{
    const Field *fields = layout->fields;
    return layout->size == 2 && fields[0].kind == CONSTANT && fields[1].name == NULL && fields[1].place < 0 &&
           (fields[1].kind == COUNTS || fields[1].kind == INDICES);
}

/* Return what a field keeps of `inner`: a new reference, or NULL and maybe an error. Records are
   those of `owner`, where that is known. */
static PyObject *
make_inner(PyTypeObject *type, int kind, PyObject *inner, PyTypeObject *owner, int depth)
{
    PyObject *kept, *items;
    switch (kind) {
    case CONSTANT:
        if (PyBytes_Check(inner))
            return Py_NewRef(inner);
        PyErr_SetString(PyExc_TypeError, "a constant must be bytes");
        return NULL;
    case NAME:
        kept = PyDict_New();
        if (kept != NULL && PyDict_Update(kept, inner) < 0)
            Py_CLEAR(kept);
        return kept;
    case MESSAGE:
    case MESSAGES:
    case ROWS:
        return make_layout(type, inner, kind == MESSAGE ? owner : NULL, depth + 1);
    case SUMS:
        kept = make_layout(type, inner, NULL, depth + 1);
        if (kept != NULL && !is_constant_and_counts((Layout *)kept)) {
            PyErr_SetString(PyExc_ValueError, "sums are written as a constant and as counts");
            Py_CLEAR(kept);
        }
        return kept;
    case CHOICE:
        kept = PyDict_New();
        items = kept == NULL ? NULL : PyMapping_Items(inner);
        for (Py_ssize_t i = 0; items != NULL && i < PyList_GET_SIZE(items); i++) {
            PyObject *item = PyList_GET_ITEM(items, i);
            PyObject *key = PyTuple_GET_ITEM(item, 0);
            PyTypeObject *chosen = PyType_Check(key) ? (PyTypeObject *)key : NULL;
            PyObject *layout = make_layout(type, PyTuple_GET_ITEM(item, 1), chosen, depth + 1);
            if (layout == NULL || PyDict_SetItem(kept, key, layout) < 0)
                Py_CLEAR(items);
            Py_XDECREF(layout);
        }
        if (items == NULL)
            Py_CLEAR(kept);
        Py_XDECREF(items);
        return kept;
    default:
        return NULL;
    }
}

/* Find out where the attribute is in records of `owner`, if it is one of their slots. */
static void
find_slot(Field *field, PyTypeObject *owner)
{
    PyObject *found = PyObject_GetAttr((PyObject *)owner, field->name);
    if (found == NULL)
        PyErr_Clear(); /* whoever writes such a record is told */
    else if (Py_IS_TYPE(found, &PyMemberDescr_Type)) {
        const PyMemberDef *member = ((PyMemberDescrObject *)found)->d_member;
        if (member->type == T_OBJECT_EX && PyType_IsSubtype(owner, PyDescr_TYPE(found))) {
            field->owner = owner;
            field->offset = member->offset;
        }
    }
    Py_XDECREF(found);
}

static int
make_field(PyTypeObject *type, Field *field, PyObject *entry, PyTypeObject *owner, int depth)
{
    unsigned int number;
    PyObject *source, *inner;
    if (!PyTuple_Check(entry)) {
        PyErr_SetString(PyExc_TypeError, "a table must be made of tuples");
        return -1;
    }
    if (!PyArg_ParseTuple(entry, "IiOO;a field has number, kind, source, inner", &number, &field->kind, &source, &inner))
        return -1;
    if (number < 1 || number >= 1u << 29 || field->kind < NUMBER || field->kind > SUMS) {
        PyErr_Format(PyExc_ValueError, "there is no field with number %u and kind %d", number, field->kind);
        return -1;
    }
    int is_number = field->kind <= ENUM || field->kind == NAME;
    field->tag_size = put_varint(field->tag, (uint64_t)number << 3 | (is_number ? 0 : 2));
    field->place = -1;
    if (PyLong_Check(source)) {
        field->place = PyLong_AsSsize_t(source);
        if (field->place < 0) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError, "a place in a tuple must not be negative");
            return -1;
        }
    }
    else if (PyUnicode_Check(source)) {
        field->name = Py_NewRef(source);
        PyUnicode_InternInPlace(&field->name);
        if (owner != NULL)
            find_slot(field, owner);
    }
    else if (source != Py_None) {
        PyErr_SetString(PyExc_TypeError, "a source must be a place, a name or None");
        return -1;
    }
    field->inner = make_inner(type, field->kind, inner, source == Py_None ? owner : NULL, depth);
    if (field->kind == CONSTANT && field->inner != NULL && PyBytes_GET_SIZE(field->inner) <= FIXED_SIZE) {
        field->tag_size = (size_t)PyBytes_GET_SIZE(field->inner);
        memcpy(field->tag, PyBytes_AS_STRING(field->inner), field->tag_size);
        Py_CLEAR(field->inner);
    }
    return PyErr_Occurred() ? -1 : 0;
}

static PyObject *
make_layout(PyTypeObject *type, PyObject *table, PyTypeObject *owner, int depth)
{
    if (depth > MOST_DEPTH) {
        PyErr_SetString(PyExc_ValueError, "tables must not nest deeper than 16");
        return NULL;
    }
    PyObject *entries = PySequence_Tuple(table);
    if (entries == NULL)
        return NULL;
    Layout *self = (Layout *)type->tp_alloc(type, 0);
    if (self != NULL) {
        Py_ssize_t size = PyTuple_GET_SIZE(entries);
        self->fields = PyMem_Calloc((size_t)(size > 0 ? size : 1), sizeof(Field));
        if (self->fields == NULL) {
            PyErr_NoMemory();
            Py_CLEAR(self);
        }
        for (Py_ssize_t i = 0; self != NULL && i < size; i++) {
            self->size = i + 1; /* what is cleared if this fails */
            if (make_field(type, &self->fields[i], PyTuple_GET_ITEM(entries, i), owner, depth) < 0)
                Py_CLEAR(self);
        }
    }
    Py_DECREF(entries);
    return (PyObject *)self;
}

static PyObject *
layout_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"table", NULL};
    PyObject *table;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:Layout", names, &table))
        return NULL;
    return make_layout(type, table, NULL, 1);
}

static int
layout_traverse(Layout *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    for (Py_ssize_t i = 0; i < self->size; i++)
        Py_VISIT(self->fields[i].inner);
    return 0;
}

static void
layout_dealloc(Layout *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    for (Py_ssize_t i = 0; i < self->size; i++) {
        Py_XDECREF(self->fields[i].name);
        Py_XDECREF(self->fields[i].inner);
    }
    PyMem_Free(self->fields);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *
layout_write(Layout *self, PyObject *record)
{
    Buffer buffer;
    buffer.start = buffer.local;
    buffer.size = 0;
    buffer.room = sizeof buffer.local;
    PyObject *written = NULL;
    if (write_fields(&buffer, self, record, NO_ROW) == 0)
        written = PyBytes_FromStringAndSize((char *)buffer.start, (Py_ssize_t)buffer.size);
    if (buffer.start != buffer.local)
        PyMem_Free(buffer.start);
    return written;
}

static PyMethodDef layout_methods[] = {
    {"write", (PyCFunction)layout_write, METH_O, "Return the record as fields, without tag and length."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot layout_slots[] = {
    {Py_tp_doc, "What writes records by a table."},
    {Py_tp_new, layout_new},
    {Py_tp_dealloc, layout_dealloc},
    {Py_tp_traverse, layout_traverse},
    {Py_tp_methods, layout_methods},
    {0, NULL},
};

static PyType_Spec layout_spec = {
    .name = "arena.wire._encoder.Layout",
    .basicsize = sizeof(Layout),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = layout_slots,
};

/* Reading: repeated messages of texts and numbers, as most programs write them. Whatever is not quite
   like that is left to the generated classes, which also know what is wrong with it. */

enum reading { TEXT, WHOLE, MAYBE }; /* absent ones are "", 0 and None */

#define MOST_READ 8 /* fields of a record */

typedef struct {
    PyObject_HEAD
    PyTypeObject *record; /* a kind of tuple */
    unsigned char outer, inner; /* tags */
    Py_ssize_t size;
    int kinds[MOST_READ]; /* of the fields 1, 2, ... */
} Reader;

typedef struct {
    const unsigned char *at, *end;
} Span;

/* Read a number of up to four bytes. */
static inline int
take_number(Span *span, uint32_t *number)
{
    *number = 0;
    for (unsigned bits = 0; bits < 28 && span->at < span->end; bits += 7) {
        unsigned char byte = *span->at++;
        *number |= (uint32_t)(byte & 0x7F) << bits;
        if (byte < 0x80)
            return 1;
    }
    return 0;
}

/* Read what has its length in front. */
static inline int
take_span(Span *span, Span *taken)
{
    uint32_t size;
    if (!take_number(span, &size) || size > (size_t)(span->end - span->at))
        return 0;
    taken->at = span->at;
    taken->end = span->at += size;
    return 1;
}

/* Return a text of plain ASCII as a new reference; NULL without an error if it is none. */
static PyObject *
as_text(const Span *span)
{
    Py_ssize_t size = span->end - span->at;
    for (const unsigned char *at = span->at; at < span->end; at++)
        if (*at > 0x7F)
            return NULL;
    PyObject *text = PyUnicode_New(size, 0x7F);
    if (text != NULL && size > 0)
        memcpy(PyUnicode_1BYTE_DATA(text), span->at, (size_t)size);
    return text;
}

/* Return a record as a new reference, NULL if it is written otherwise, maybe with an error. */
static PyObject *
read_record(const Reader *self, Span span)
{
    PyObject *record = self->record->tp_alloc(self->record, self->size);
    if (record == NULL)
        return NULL;
    for (Py_ssize_t i = 0; i < self->size; i++) {
        int kind = self->kinds[i];
        unsigned char tag = (unsigned char)((i + 1) << 3 | (kind == TEXT ? 2 : 0));
        PyObject *value;
        if (span.at < span.end && *span.at == tag) {
            Span text;
            uint32_t number;
            span.at++;
            if (kind == TEXT)
                value = take_span(&span, &text) ? as_text(&text) : NULL;
            else
                value = take_number(&span, &number) ? PyLong_FromUnsignedLong(number) : NULL;
        }
        else
            value = kind == MAYBE ? Py_NewRef(Py_None) : kind == TEXT ? PyUnicode_New(0, 0) : PyLong_FromLong(0);
        if (value == NULL) {
            Py_DECREF(record);
            return NULL;
        }
        PyTuple_SET_ITEM(record, i, value);
    }
    if (span.at == span.end)
        return record;
    Py_DECREF(record);
    return NULL;
}

static PyObject *
reader_read(Reader *self, PyObject *data)
{
    if (!PyBytes_Check(data)) {
        PyErr_SetString(PyExc_TypeError, "a message must be bytes");
        return NULL;
    }
    Span message, body, one;
    message.at = (unsigned char *)PyBytes_AS_STRING(data);
    message.end = message.at + PyBytes_GET_SIZE(data);
    if (message.at == message.end || *message.at++ != self->outer || !take_span(&message, &body) ||
        message.at != message.end)
        Py_RETURN_NONE;
    PyObject *records = PyList_New(0);
    while (records != NULL && body.at < body.end) {
        PyObject *record = NULL;
        if (*body.at++ == self->inner && take_span(&body, &one))
            record = read_record(self, one);
        if (record == NULL || PyList_Append(records, record) < 0)
            Py_CLEAR(records);
        Py_XDECREF(record);
    }
    if (records == NULL && !PyErr_Occurred())
        Py_RETURN_NONE;
    return records;
}

static PyObject *
reader_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"record", "outer", "inner", "kinds", NULL};
    PyTypeObject *record;
    unsigned int outer, inner;
    PyObject *kinds;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!IIO!:Reader", names, &PyType_Type, &record, &outer, &inner,
                                     &PyTuple_Type, &kinds))
        return NULL;
    Py_ssize_t size = PyTuple_GET_SIZE(kinds);
    if (!PyType_IsSubtype(record, &PyTuple_Type) || record->tp_basicsize != PyTuple_Type.tp_basicsize ||
        outer < 1 || outer > 15 || inner < 1 || inner > 15 || size > MOST_READ) {
        PyErr_SetString(PyExc_ValueError, "a reader has a kind of tuple, two numbers up to 15, up to 8 kinds");
        return NULL;
    }
    Reader *self = (Reader *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->record = (PyTypeObject *)Py_NewRef(record);
    self->outer = (unsigned char)(outer << 3 | 2);
    self->inner = (unsigned char)(inner << 3 | 2);
    self->size = size;
    for (Py_ssize_t i = 0; i < size; i++) {
        long kind = PyLong_AsLong(PyTuple_GET_ITEM(kinds, i));
        if (kind < TEXT || kind > MAYBE) {
            if (!PyErr_Occurred())
                PyErr_Format(PyExc_ValueError, "there is no kind %ld", kind);
            Py_DECREF(self);
            return NULL;
        }
        self->kinds[i] = (int)kind;
    }
    return (PyObject *)self;
}

static int
reader_traverse(Reader *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(self->record);
    return 0;
}

static void
reader_dealloc(Reader *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_XDECREF(self->record);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyMethodDef reader_methods[] = {
    {"read", (PyCFunction)reader_read, METH_O, "Return the records of a message, None if it is not so plain."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot reader_slots[] = {
    {Py_tp_doc, "What reads repeated messages of texts and numbers."},
    {Py_tp_new, reader_new},
    {Py_tp_dealloc, reader_dealloc},
    {Py_tp_traverse, reader_traverse},
    {Py_tp_methods, reader_methods},
    {0, NULL},
};

static PyType_Spec reader_spec = {
    .name = "arena.wire._encoder.Reader",
    .basicsize = sizeof(Reader),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = reader_slots,
};

static int
add_type(PyObject *module, const char *name, PyType_Spec *spec)
{
    PyObject *type = PyType_FromSpec(spec);
    int status = type == NULL ? -1 : PyModule_AddObjectRef(module, name, type);
    Py_XDECREF(type);
    return status;
}

static int
encoder_exec(PyObject *module)
{
    return add_type(module, "Layout", &layout_spec) < 0 ? -1 : add_type(module, "Reader", &reader_spec);
}

#ifndef SOURCE
#define SOURCE "" /* a checksum of this file: one that does not fit is not loaded */
#endif

static PyModuleDef_Slot encoder_slots[] = {
    {Py_mod_exec, encoder_exec},
    {0, NULL},
};

static struct PyModuleDef encoder_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "arena.wire._encoder",
    .m_doc = "Records as protobuf fields, by tables. " SOURCE,
    .m_slots = encoder_slots,
};

PyMODINIT_FUNC
PyInit__encoder(void)
{
    return PyModuleDef_Init(&encoder_module);
}
