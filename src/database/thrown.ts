/** Reads the code or the text of a thrown value, which need not be an error. */

/** @returns the code of Node.js, PostgreSQL or a library, such as `ENOENT`; empty without one */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
