/** A value of a column, in the form that rows have: ids and timestamps strings, prices and integers numbers. */
export type Value = string | number | boolean

/** What a statement is run with: a value, a list of them, or none. */
export type Parameter = Value | readonly Value[] | null
