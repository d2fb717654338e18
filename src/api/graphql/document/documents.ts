/** Prepares documents once for all transports: parsed, validated, measured, planned. */
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

/** Of the cached documents. Each character takes some hundred bytes of memory. */
const maxCharacters = 400_000
/** Longer documents have a separate cache: a few of them would displace all others. */
const maxUsualCharacters = 10_000
const maxLongCharacters = 200_000

/**
 * By size, which neither the caller nor the load of the machine affects. The densest text takes 2.5 µs for each character,
 * within the limit of tokens. A caller who only sends new documents uses a tenth of a core.
 */
const minUnits = 0.5
const maxUnits = 20
const charactersPerUnit = 200

export class Documents {
  readonly #api: Api
  readonly #options: ValidationOptions
  readonly #usual = new LruMap<string, ReadyDocument>(maxCharacters, { weigh: weightOf })
  readonly #long = new LruMap<string, ReadyDocument>(maxLongCharacters, { weigh: weightOf })
  /** Documents in preparation, by text: callers share them, and the first pays. */
  readonly #coming = new Map<string, Promise<ReadyDocument>>()
  #lastTurn: Promise<void> = Promise.resolve()
  /** Callers that waited for the same document continue in turns. */
  readonly #sharing = new TurnScheduler()

  constructor(api: Api, options: ValidationOptions) {
    this.#api = api
    this.#options = options
  }

  /**
   * @param openAccount opens the account of the caller, who pays for a new document; throws ServiceError `tooManyRequests`
   * @throws Refused for an invalid document; ServiceError `tooManyRequests`
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

  /** Prepares one document in each turn of the event loop. */
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

/** Includes a fixed cost of each document. */
function weightOf(text: string): number {
  return 200 + text.length
}
