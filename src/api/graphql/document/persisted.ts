/**
 * Documents requested by hash. The documents of a file are known from the start; others are cached when they are first
 * sent with their hash (Apollo's automatic persisted queries).
 */

import { digestOf, type KnownOperations } from '../../../core/settings/graphql-operations.ts'
import { LruMap } from '../../../database/lru-map.ts'
import { refuse } from '../error.ts'
import { Refused } from './operation.ts'

export interface RequestedDocument {
  query: string | null
  /** `sha256:` and the hash, or the hash alone. */
  documentId: string | null
  /** With `persistedQuery: {version: 1, sha256Hash}`. */
  extensions: Readonly<Record<string, unknown>>
}

const maxCached = 1000
const maxCachedLength = 10_000

export class PersistedDocuments {
  readonly #known: KnownOperations
  readonly #knownOnly: boolean
  readonly #cached = new LruMap<string, string>(maxCached)

  /** @param knownOnly refuses all other documents */
  constructor(known: KnownOperations, knownOnly: boolean) {
    this.#known = known
    this.#knownOnly = knownOnly
  }

  /** @returns `null` without a document @throws Refused for an unknown hash, or a hash that does not match the text */
  textOf({ query, documentId, extensions }: RequestedDocument): string | null {
    const digest = digestIn(documentId, extensions)
    if (query === null || query === '') return digest === null ? null : this.#find(digest)
    if (this.#knownOnly && !this.#known.has(digestOf(query))) {
      throw new Refused([refuse('notPersisted', 'Only known operations are executed.')])
    }
    if (digest !== null) this.#cache(digest, query)
    return query
  }

  #find(digest: string): string {
    const text = this.#known.get(digest) ?? this.#cached.get(digest)
    // Apollo's message, after which its clients send the document.
    if (text === undefined) throw new Refused([refuse('persisted', 'PersistedQueryNotFound')])
    return text
  }

  #cache(digest: string, text: string): void {
    if (this.#known.has(digest) || this.#cached.get(digest) === text) return
    if (digestOf(text) !== digest) {
      throw new Refused([refuse('persistedMismatch', 'The hash does not match the document.')])
    }
    if (text.length <= maxCachedLength) this.#cached.set(digest, text)
  }
}

function digestIn(documentId: string | null, extensions: RequestedDocument['extensions']): string | null {
  if (documentId !== null && documentId !== '') return documentId.replace(/^sha256:/, '').toLowerCase()
  const { persistedQuery } = extensions
  if (typeof persistedQuery !== 'object' || persistedQuery === null || !('sha256Hash' in persistedQuery))
    return null
  const { sha256Hash } = persistedQuery
  return typeof sha256Hash === 'string' ? sha256Hash.toLowerCase() : ''
}
