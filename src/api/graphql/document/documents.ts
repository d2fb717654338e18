/** Prepares documents for all transports, once each: parses, validates, measures and plans them. */
import { GraphQLError } from 'graphql'
import { callerPaths } from '../../../core/limits/caller.ts'
import { openAccount, type Payer } from '../../../core/limits/caller-time.ts'
import { TurnScheduler } from '../../../core/limits/turn-scheduler.ts'
import { LruMap } from '../../../database/lru-map.ts'
import type { Api } from '../schema/schema.ts'
import { measureOperations } from './measure.ts'
import { PreparedDocument, Refused } from './operation.ts'
import { parseDocument } from './parse.ts'
import { faultsOf, type ValidationOptions } from './validate.ts'

/** The total length of the cached documents. Each character takes some hundred bytes of memory. */
const maxCharacters = 400_000
/** Longer documents have a separate cache: a few of them would displace all others. */
const maxShortCharacters = 10_000
const maxLongCharacters = 200_000

/**
 * The cost of a new document, by size, which does not depend on the load of the machine. The densest text takes 2.5 µs
 * for each character, within the limit of tokens. A caller who only sends new documents uses a tenth of a core.
 */
const minUnits = 0.5
const maxUnits = 20
const charactersPerUnit = 200

export class Documents {
  readonly #api: Api
  readonly #options: ValidationOptions
  readonly #short = new LruMap<string, PreparedDocument>(maxCharacters, { weigh: weightOf })
  readonly #long = new LruMap<string, PreparedDocument>(maxLongCharacters, { weigh: weightOf })
  /** Documents in preparation, by text. Callers of the same document share its preparation; the first one pays. */
  readonly #inPreparation = new Map<string, Promise<PreparedDocument>>()
  /** Prepares one document in each turn of the event loop. */
  readonly #turns = new TurnScheduler(0)
  /** Callers that waited for the same document continue in turns. */
  readonly #waited = new TurnScheduler()

  constructor(api: Api, options: ValidationOptions) {
    this.#api = api
    this.#options = options
  }

  /**
   * @param payer takes a turn, and is charged, for a new document
   * @throws Refused for an invalid document; ServiceError `tooManyRequests`
   */
  async prepare(text: string, payer: Payer): Promise<PreparedDocument> {
    const known = this.#cacheOf(text).get(text)
    if (known !== undefined) return known
    const preparing = this.#inPreparation.get(text)
    if (preparing === undefined) return this.#begin(text, payer)
    const document = await preparing
    await this.#waited.take([])
    return document
  }

  #begin(text: string, payer: Payer): Promise<PreparedDocument> {
    openAccount(payer).spend(Math.min(maxUnits, minUnits + text.length / charactersPerUnit))
    const preparing = this.#prepareInTurn(text, payer).finally(() => this.#inPreparation.delete(text))
    this.#inPreparation.set(text, preparing)
    return preparing
  }

  async #prepareInTurn(text: string, { tenant, actor, clientAddress }: Payer): Promise<PreparedDocument> {
    await this.#turns.take(...callerPaths(tenant.id, actor, clientAddress))
    const document = this.#prepareNow(text)
    this.#cacheOf(text).set(text, document)
    return document
  }

  #cacheOf({ length }: string): LruMap<string, PreparedDocument> {
    return length > maxShortCharacters ? this.#long : this.#short
  }

  #prepareNow(text: string): PreparedDocument {
    try {
      const { limits } = this.#options
      const parsed = parseDocument(text, limits)
      const faults = faultsOf(this.#api.schema, parsed.document, this.#options)
      if (faults.length > 0) throw new Refused(faults)
      measureOperations(parsed, limits)
      return new PreparedDocument(this.#api, parsed, this.#options)
    } catch (error) {
      throw error instanceof GraphQLError ? new Refused([error]) : error
    }
  }
}

/** @returns the length of the document, and a fixed part for the memory that any document takes */
function weightOf(text: string): number {
  return 200 + text.length
}
