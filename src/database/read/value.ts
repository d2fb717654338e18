/** A column value as rows have it: ids and timestamps are strings, prices and integers numbers. */
export type Value = string | number | boolean

/** A parameter of a statement: a value, a list of values, or NULL. */
export type Parameter = Value | readonly Value[] | null
