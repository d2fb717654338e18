/** Checks whether the document allows an answer. */
import type { LightMyRequestResponse as Response } from 'fastify'
import { Compile, type Validator } from 'typebox/compile'
import {
  type OpenApi,
  type Operation,
  operationsOf,
  type Reply,
} from '../../../support/http/openapi-document.ts'
import { inlined } from '../inlined.ts'
import type { GeneratedRequest } from './requests.ts'
import type { Schema } from './values.ts'

const problemType = 'application/problem+json'
const problemMembers = ['type', 'title', 'status', 'code', 'parameters', 'detail', 'instance', 'errors']

export class Verdicts {
  readonly #document: OpenApi
  readonly #operations: Map<string, Operation>
  readonly #replies = new Map<string, Reply | undefined>()
  readonly #validators = new Map<string, Validator | null>()

  constructor(document: OpenApi) {
    this.#document = document
    this.#operations = operationsOf(document)
  }

  /** @returns what is wrong with the answer, nothing when it is as documented */
  faultsOf(request: GeneratedRequest, answer: Response): string[] {
    const { operation, isOffRoute } = request
    const { statusCode: status, headers } = answer
    if (status >= 500) return [`${status} must not happen`]
    if (!headers['x-request-id']) return ['there is no request id']
    // Such an address may miss the route; then it is refused like any that is unknown.
    if (isOffRoute && (status === 400 || status === 404)) return errorFaults(answer)
    if (this.#operations.get(operation)?.responses[status] === undefined)
      return [`${status} is not documented`]
    if (status === 204 || status === 304) return answer.payload === '' ? [] : ['there is a body']
    return this.#bodyFaults(request, answer)
  }

  #bodyFaults({ operation, url }: GeneratedRequest, answer: Response): string[] {
    const { statusCode: status, payload } = answer
    if (this.#isOfAnyType(operation, status)) return []
    const type = String(answer.headers['content-type']).split(';')[0] ?? ''
    const validator = this.#validatorFor(operation, status, type, /[?&]fields=/.test(url))
    if (validator === null) return [`${status} ${type} is not documented`]
    const body = JSON.parse(payload) as unknown
    const errors = validator.Check(body) ? [] : validator.Errors(body)
    const told = errors.map(({ instancePath, message }) => `${status} ${instancePath}: ${message}`)
    return status < 400 ? told : [...told, ...errorFaults(answer)]
  }

  /** The content of a file. */
  #isOfAnyType(operation: string, status: number): boolean {
    const reply = this.#replyFor(operation, status)
    return reply?.content?.['*/*'] !== undefined
  }

  /** Kept: to inline one for each answer takes a twentieth of the time of all requests. */
  #replyFor(operation: string, status: number): Reply | undefined {
    const key = `${operation} ${status}`
    let reply = this.#replies.get(key)
    if (reply === undefined) {
      reply = inlined(this.#document, this.#operations.get(operation)?.responses[status])
      this.#replies.set(key, reply)
    }
    return reply
  }

  /** @param isChosen whether the rows have the members that `fields` names, and no others */
  #validatorFor(operation: string, status: number, type: string, isChosen: boolean): Validator | null {
    const key = `${operation} ${status} ${type} ${isChosen}`
    let validator = this.#validators.get(key)
    if (validator === undefined) {
      const reply = this.#replyFor(operation, status)
      // Problem details are the same for each error, and described once.
      const isProblem = type === problemType && reply?.content !== undefined
      const problem = this.#document.components.schemas['Problem']
      const whole = isProblem ? problem : reply?.content?.[type]?.schema
      const schema = isChosen && status === 200 ? withChosenMembers(whole) : whole
      validator = schema === undefined ? null : Compile(schema)
      this.#validators.set(key, validator)
    }
    return validator
  }
}

/** As the document says of the parameter `fields`: a row of the list has those members only. */
function withChosenMembers(schema: Schema | undefined): Schema | undefined {
  if (schema?.['type'] !== 'array') return schema
  const { required: _required, ...row } = schema['items'] as Schema
  return { ...schema, items: row }
}

/** The document allows additional members, the service sends none. */
function errorFaults({ payload, headers }: Response): string[] {
  const members = Object.keys(JSON.parse(payload) as object)
  const allowed = String(headers['content-type']).startsWith(problemType) ? problemMembers : ['message']
  return members.filter((name) => !allowed.includes(name)).map((name) => `the error has a member ${name}`)
}
