/** How large a document may be, and how much an operation may ask for. */
export interface Limits {
  /** Characters of a document. */
  characters: number
  lines: number
  /** Words and signs of a document. */
  tokens: number
  /** Brackets in brackets. */
  nesting: number
  /** Operations and fragments. */
  definitions: number
  /** Fields as they are written, and again with those of fragments where they are spread. */
  fields: number
  /** Fields in fields. */
  depth: number
  /** Fields of one operation that have another name than their own. */
  aliases: number
  /** Directives in one place. */
  directives: number
  /** Variables of one operation. */
  variables: number
  /** Values in variables, those in lists and objects counted each. */
  values: number
  /** Faults that are told of. */
  errors: number
  cost: number
  /** Rows of one operation, in all its fields. */
  rows: number
  /** Of the body of the reply. */
  bytes: number
  timeoutMs: number
}

export const defaultLimits: Limits = {
  characters: 100_000,
  lines: 5000,
  tokens: 4000,
  nesting: 100,
  definitions: 100,
  fields: 1000,
  depth: 20,
  aliases: 200,
  directives: 4,
  variables: 200,
  values: 5000,
  errors: 5,
  cost: 1000,
  rows: 10_000,
  bytes: 16 * 1024 * 1024,
  timeoutMs: 30_000,
}

/** Of documents and of variables: in longer ones no fault suggests what may have been meant. */
export const maxSuggestedLength = 10_000
