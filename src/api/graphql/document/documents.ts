/** Documents made ready once, for every transport: parsed, validated, measured, planned. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { GraphQLError } from 'graphql'
import type { CostAccount } from '../../../core/limits/cost-limiter.ts'
import { TurnScheduler } from '../../../core/limits/turn-scheduler.ts'
import { LruMap } from '../../../database/lru-map.ts'
import type { Api } from '../schema/schema.ts'
import { measureOperations } from './measure.ts'
import { ReadyDocument, Refused } from './operation.ts'
import { parseDocument } from './parse.ts'
import { faultsOf, type ValidationOptions } from './validate.ts'

/** Of the documents that are kept ready; each of them takes some hundred bytes of memory. */
const maxCharacters = 400_000
/** Of a document that is kept among those of all: a few longer ones would displace all others. */
const maxUsualCharacters = 10_000
const maxLongCharacters = 200_000

/**
 * By size, which no caller gets around and no busy machine makes more: the densest text takes 2.5 µs for each character,
 * and none takes more than what may have as many tokens. So a caller who does nothing else takes a tenth of a core.
 */
const minUnits = 0.5
const maxUnits = 20
const charactersPerUnit = 200

export class Documents {
  readonly #api: Api
  readonly #options: ValidationOptions
  readonly #usual = new LruMap<string, ReadyDocument>(maxCharacters, { weigh: weightOf })
  readonly #long = new LruMap<string, ReadyDocument>(maxLongCharacters, { weigh: weightOf })
  /** By their texts: those who ask for the same share it, and the first pays. */
  readonly #coming = new Map<string, Promise<ReadyDocument>>()
  #lastTurn: Promise<void> = Promise.resolve()
  /** Many who have waited for one document do not go on all at once. */
  readonly #sharing = new TurnScheduler()

  constructor(api: Api, options: ValidationOptions) {
    this.#api = api
    this.#options = options
  }

  /**
   * @param openAccount of the caller, who pays for a document that is not ready; throws ServiceError `tooManyRequests`
   * @throws Refused for what is wrong with the document; ServiceError `tooManyRequests`
   */
  async prepare(text: string, openAccount: () => CostAccount): Promise<ReadyDocument> {
    const known = this.#keptBeside(text).get(text)
    if (known !== undefined) return known
    const coming = this.#coming.get(text)
    if (coming === undefined) return this.#begin(text, openAccount())
    const document = await coming
    await this.#sharing.take([])
    return document
  }

  #begin(text: string, account: CostAccount): Promise<ReadyDocument> {
    account.spend(Math.min(maxUnits, minUnits + text.length / charactersPerUnit))
    const coming = this.#prepareInTurn(text).finally(() => this.#coming.delete(text))
    this.#coming.set(text, coming)
    return coming
  }

  /** One document in a turn of the event loop, however many come at once. */
  async #prepareInTurn(text: string): Promise<ReadyDocument> {
    this.#lastTurn = this.#lastTurn.then(() => nextTurn())
    await this.#lastTurn
    const document = this.#make(text)
    this.#keptBeside(text).set(text, document)
    return document
  }

  #keptBeside({ length }: string): LruMap<string, ReadyDocument> {
    return length > maxUsualCharacters ? this.#long : this.#usual
  }

  #make(text: string): ReadyDocument {
    try {
      const { limits } = this.#options
      const parsed = parseDocument(text, limits)
      const faults = faultsOf(this.#api.schema, parsed.document, this.#options)
      if (faults.length > 0) throw new Refused(faults)
      measureOperations(parsed, limits)
      return new ReadyDocument(this.#api, parsed, this.#options)
    } catch (error) {
      throw error instanceof GraphQLError ? new Refused([error]) : error
    }
  }
}

/** The shortest has its objects too. */
function weightOf(text: string): number {
  return 200 + text.length
}
