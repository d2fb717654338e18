import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { errorMessage } from '../../database/thrown.ts'

/** Reads the file of persisted GraphQL operations. */

/** GraphQL documents by the SHA-256 of their text, in lower-case hex. */
export type PersistedOperations = ReadonlyMap<string, string>

/**
 * @param path of a JSON file with documents by hash
 * @returns an empty map without a path, or with faults
 */
export function readOperations(path: string | null, faults: string[]): PersistedOperations {
  if (path === null) return new Map()
  try {
    const read: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const entries = Object.entries(read ?? {})
    for (const [digest, text] of entries) {
      if (typeof text !== 'string') throw new Error(`${digest} is not text`)
      if (digestOf(text) !== digest) throw new Error(`${digest} is not the SHA-256 of its document`)
    }
    return new Map(entries)
  } catch (error) {
    const cause = errorMessage(error)
    faults.push(`GRAPHQL_OPERATIONS: must be a JSON file of documents by their SHA-256 (${cause})`)
    return new Map()
  }
}

export function digestOf(text: string): string {
  return hash('sha256', text)
}
