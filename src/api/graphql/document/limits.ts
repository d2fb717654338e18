/** Limits on documents and operations. */
export interface Limits {
  /** Characters of a document. */
  characters: number
  lines: number
  /** Tokens of a document. */
  tokens: number
  /** Nested brackets. */
  nesting: number
  /** Operations and fragments. */
  definitions: number
  /** Fields of a document as written, and again with fragments spread. */
  fields: number
  /** Nested fields. */
  depth: number
  /** Aliased fields, counted like `fields`. */
  aliases: number
  /** Directives of one node. */
  directives: number
  /** Variables of one operation. */
  variables: number
  /** Values in variables, including those in lists and objects. */
  values: number
  /** Reported faults. */
  errors: number
  /** The cost of one operation as `cost.ts` computes it. Cost units of callers are another measure. */
  cost: number
  /** Rows of one operation, in all fields. */
  rows: number
  /** Bytes of the reply's body. */
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

/** Errors in longer documents and variables have no suggestions. */
export const maxSuggestedLength = 10_000
