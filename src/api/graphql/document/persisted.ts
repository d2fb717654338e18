/**
 * Documents requested by hash. The documents of a file are known from the start; others are cached when they are first
 * sent with their hash (Apollo's automatic persisted queries).
 */

import { digestOf, type PersistedOperations } from '../../../core/settings/graphql-operations.ts'
import { LruMap } from '../../../database/lru-map.ts'
import { refuse } from '../error.ts'
import { Refused } from './operation.ts'

export interface RequestedDocument {
  query: string | null
  /** The SHA-256 of the text in hex, with or without the prefix `sha256:`. */
  documentId: string | null
  /** May contain `persistedQuery: {version: 1, sha256Hash}`. */
  extensions: Readonly<Record<string, unknown>>
}

const maxCached = 1000
const maxCachedLength = 10_000

export class PersistedDocuments {
  readonly #persisted: PersistedOperations
  readonly #persistedOnly: boolean
  readonly #cached = new LruMap<string, string>(maxCached)

  /** @param persistedOnly refuses all other documents */
  constructor(persisted: PersistedOperations, persistedOnly: boolean) {
    this.#persisted = persisted
    this.#persistedOnly = persistedOnly
  }

  /** @returns `null` without a document @throws Refused for an unknown hash, or a hash that does not match the text */
  textOf({ query, documentId, extensions }: RequestedDocument): string | null {
    const digest = digestIn(documentId, extensions)
    if (query === null || query === '') return digest === null ? null : this.#find(digest)
    if (this.#persistedOnly && !this.#persisted.has(digestOf(query))) {
      throw new Refused([refuse('notPersisted', 'Only persisted operations are executed.')])
    }
    if (digest !== null) this.#cache(digest, query)
    return query
  }

  #find(digest: string): string {
    const text = this.#persisted.get(digest) ?? this.#cached.get(digest)
    // Apollo's message, after which its clients send the document.
    if (text === undefined) throw new Refused([refuse('persisted', 'PersistedQueryNotFound')])
    return text
  }

  #cache(digest: string, text: string): void {
    const known = this.#persisted.get(digest) ?? this.#cached.get(digest)
    if (known === text) return
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
  return typeof sha256Hash === 'string' ? sha256Hash.toLowerCase() : '' // no document has this hash
}
