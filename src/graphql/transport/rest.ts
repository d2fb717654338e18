/** GraphQL over HTTP: queries by GET, everything by POST. */
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../errors.ts'
import { JsonText, Reply, type Route, route } from '../../http/route.ts'
import { Nullable } from '../../schema.ts'
import { Refused, type Variables } from '../document/operation.ts'
import { format } from '../error.ts'
import type { Gateway } from '../gateway.ts'
import { acceptedType, type MediaType, responseType } from './accept.ts'

const openObject = Type.Object({}, { additionalProperties: true })

const GraphQLRequest = Type.Object(
  {
    query: Type.Optional(
      Type.String({ description: 'The document', examples: ['{ products { id name price } }'] }),
    ),
    operationName: Type.Optional(
      Nullable(Type.String({ description: 'Which of its operations; needless for one' })),
    ),
    variables: Type.Optional(Nullable({ ...openObject, examples: [{}] })),
    extensions: Type.Optional(Nullable({ ...openObject, examples: [{}] })),
  },
  { $id: 'GraphQLRequest' },
)

const GraphQLQuery = Type.Object({
  query: Type.Optional(Type.String({ description: 'The document', examples: ['{ products { id } }'] })),
  operationName: Type.Optional(Type.String({ description: 'Which of its operations; needless for one' })),
  variables: Type.Optional(Type.String({ description: 'A JSON object', examples: ['{}'] })),
  extensions: Type.Optional(Type.String({ description: 'A JSON object', examples: ['{}'] })),
})

const GraphQLResponse = Type.Object(
  {
    data: Type.Optional(Nullable(openObject)),
    errors: Type.Optional(
      Type.Array(Type.Object({ message: Type.String() }, { additionalProperties: true })),
    ),
  },
  { $id: 'GraphQLResponse', description: 'As the GraphQL specification says.' },
)

const common = {
  path: '/graphql',
  tag: 'GraphQL',
  access: 'public',
  status: 200,
  reply: GraphQLResponse,
  errors: ['invalid'],
} as const

interface Parameters {
  query: string
  operationName: string | null
  variables: Variables
}

export function graphqlRoutes(gateway: Gateway): Route[] {
  return [
    route({
      ...common,
      method: 'GET',
      summary: 'Run a GraphQL query',
      description: 'Mutations are not run by GET.',
      query: GraphQLQuery,
      errors: ['invalid', 'methodNotAllowed'],
      handle: (context, { query, headers }) => {
        const { query: text, operationName = null, variables } = query
        const parameters = {
          query: required(text),
          operationName,
          variables: parseObject('variables', variables),
        }
        return answer(gateway, context, { parameters, accept: headers['accept'], queriesOnly: true })
      },
    }),
    route({
      ...common,
      method: 'POST',
      summary: 'Run a GraphQL operation',
      description: 'The schema is in `schema.graphql`, and a page to try it out at `/graphql/ui`.',
      body: GraphQLRequest,
      handle: (context, { body, headers }) => {
        const { query, operationName = null, variables } = body
        const parameters = {
          query: required(query),
          operationName,
          variables: (variables ?? {}) as Variables,
        } // a JSON object by the schema
        return answer(gateway, context, { parameters, accept: headers['accept'], queriesOnly: false })
      },
    }),
  ]
}

interface Asked {
  parameters: Parameters
  accept: string | string[] | undefined
  queriesOnly: boolean
}

async function answer(
  gateway: Gateway,
  context: Context,
  { parameters, accept, queriesOnly }: Asked,
): Promise<Reply> {
  const type = acceptedType(accept === undefined ? undefined : String(accept))
  if (type === null)
    throw new ServiceError('notAcceptable', `The reply is ${responseType} or application/json.`)
  try {
    const operation = gateway.prepare(parameters.query, parameters.operationName)
    if (queriesOnly && operation.kind === 'mutation') {
      throw new ServiceError('methodNotAllowed', 'A mutation is sent by POST.', {
        headers: { allow: 'POST' },
      })
    }
    if (operation.kind === 'subscription') throw new ServiceError('notAcceptable', subscriptionText)
    const { text } = await gateway.run(context, operation, parameters.variables)
    return reply(text, type, 200)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return reply(JSON.stringify({ errors: format(error.errors) }), type, type === responseType ? 400 : 200)
  }
}

const subscriptionText =
  'A subscription needs a WebSocket (graphql-transport-ws), or Accept: text/event-stream.'

function reply(text: string, type: MediaType, status: number): Reply {
  return new Reply(new JsonText(text, `${type}; charset=utf-8`), {}, status)
}

function required(query: string | undefined): string {
  if (query === undefined || query === '') throw new ServiceError('invalid', 'query: is required')
  return query
}

function parseObject(name: string, text: string | undefined): Variables {
  if (text === undefined || text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (value === null) return {}
    if (typeof value === 'object' && !Array.isArray(value)) return value as Variables // a JSON object
  } catch {
    // told below, like everything else that is no object
  }
  throw new ServiceError('invalid', `${name}: must be a JSON object`)
}
