/** Every way in which a value gets into the service over HTTP, with its answer as text. */
import type { Answer, Client } from '../../support/client.ts'
import { holder, someOwner } from './values.ts'

export interface Side {
  user: Client
  tenantId: string
  ownerId: string
  /** A row that is changed. */
  rowId: string
}

export interface Given {
  member: string
  /** As JSON. */
  value: string
}

export type Way = (side: Side, given: Given) => Promise<string>

const path = '/api/holders'

/** Values that rows get. An answer is the value that the row then has, or what refuses the given one. */
export const writing: Readonly<Record<string, Way>> = {
  POST: (side, given) => written(side, given, side.user.post(path, bodyOf(side, given))),
  PUT: (side, given) => written(side, given, side.user.put(`${path}/${side.rowId}`, bodyOf(side, given))),
  PATCH: (side, given) => written(side, given, side.user.patch(`${path}/${side.rowId}`, bodyOf(side, given))),
  'GraphQL variable': (side, given) =>
    mutated(side, given, {
      query: 'mutation ($input: CreateHolderInput!) { row: createHolder(input: $input) { id } }',
      variables: bodyOf(side, given),
    }),
  'GraphQL literal': (side, given) =>
    mutated(side, given, {
      query: `mutation { row: createHolder(input: { ${given.member}: ${literalOf(given, ownValue(side, given))} }) { id } }`,
    }),
}

/** Values that rows are compared with. An answer is the number of rows, or what refuses the value. */
export const reading: Readonly<Record<string, Way>> = {
  'filter eq': (side, given) => filtered(side, given, 'eq'),
  'filter in': (side, given) => filtered(side, given, 'in'),
  'filter gte': (side, given) => filtered(side, given, 'gte'),
  'GraphQL where': async (side, given) => {
    const type = holder.model.fields.get(given.member)?.kind
    if (type === 'json' || type === undefined) return '400 no list is filtered by it'
    const query = 'query ($where: HolderFilterInput) { holders(where: $where) { totalCount } }'
    const where = `{"where":{"${given.member}":{"eq":${ownValue(side, given)}}}}`
    const answer = await asked(side, { query, variables: where })
    return typeof answer === 'string' ? answer : `${answer['holders']?.['totalCount']} rows`
  },
}

function ownValue({ ownerId }: Side, { value }: Given): string {
  return value.replaceAll(someOwner, ownerId).replaceAll(someOwner.toUpperCase(), ownerId.toUpperCase())
}

function bodyOf(side: Side, given: Given): string {
  return `{"${given.member}":${ownValue(side, given)}}`
}

async function written(side: Side, { member }: Given, sent: Promise<Answer>): Promise<string> {
  const { status, body, text } = await sent
  return status === 200 || status === 201 ? stored(side, body.id, member) : refusal(status, text)
}

/** The member as the list has it. */
async function stored({ user, ownerId }: Side, id: string, member: string): Promise<string> {
  const { text } = await user.get(`${path}?id=${id}&fields=${member}`)
  return text.replaceAll(ownerId, someOwner).slice(`[{"${member}":`.length, -'}]'.length)
}

function refusal(status: number, text: string): string {
  return `${status} ${JSON.parse(text).message}`
}

async function filtered({ user, ...side }: Side, given: Given, operator: string): Promise<string> {
  const value = ownValue({ user, ...side }, given)
  const text = value.startsWith('"') ? JSON.parse(value) : value
  const query = new URLSearchParams({ [`${given.member}[${operator}]`]: text, count: 'true', limit: '1' })
  // A bare member asks for equality.
  const { status, headers, text: told } = await user.get(`${path}?${String(query).replace('%5Beq%5D', '')}`)
  return status === 200 ? `${headers.get('x-total-count')} rows` : refusal(status, told)
}

async function mutated(
  side: Side,
  { member }: Given,
  request: { query: string; variables?: string },
): Promise<string> {
  const isInput = request.variables !== undefined
  const variables = isInput ? { variables: `{"input":${request.variables}}` } : {}
  const answer = await asked(side, { ...request, ...variables })
  return typeof answer === 'string' ? answer : stored(side, String(answer['row']?.['id']), member)
}

/** @returns the data, or what refuses the request */
async function asked(
  { user }: Side,
  { query, variables = '{}' }: { query: string; variables?: string },
): Promise<string | Record<string, Record<string, unknown>>> {
  const { status, body, text } = await user.post(
    '/graphql',
    `{"query":${JSON.stringify(query)},"variables":${variables}}`,
  )
  if (body.data) return body.data
  const [error] = body.errors ?? []
  return error === undefined ? refusal(status, text) : `${error.extensions?.code}: ${error.message}`
}

/** As GraphQL writes it: words of an enumeration, and the names of an object's members, have no quotes. */
function literalOf({ member }: Given, value: string): string {
  return member === 'enum' && /^"\w+"$/.test(value)
    ? value.slice(1, -1)
    : value.replaceAll(/"(\w+)":/g, '$1: ')
}
