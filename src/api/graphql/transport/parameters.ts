/** The parameters of a request, from its body or from its query (GraphQL over HTTP, section 5). */
import { hash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { ServiceError } from '../../../core/errors.ts'
import { Nullable } from '../../../core/schema/schema.ts'
import type { AskedDocument } from '../document/persisted.ts'
import type { Variables } from '../document/variables.ts'

export const openObject = Type.Object({}, { additionalProperties: true })

/** Far beyond what the limits of documents allow, which are told in the words of GraphQL. */
const maxDocumentLength = 1024 * 1024
const maxNameLength = 1000
const maxDocumentIdLength = 100
/** Of text in an address; the limit of headers is smaller. */
const maxJsonLength = 100_000

const exampleDocument = 'query Products { products { id name price } }'
const exampleId = hash('sha256', exampleDocument)

export const GraphQLRequest = Type.Object(
  {
    query: Type.Optional(
      Type.String({
        maxLength: maxDocumentLength,
        description: 'The document',
        examples: [exampleDocument],
      }),
    ),
    documentId: Type.Optional(
      Nullable(
        Type.String({
          maxLength: maxDocumentIdLength,
          description: 'Instead of `query`: the SHA-256 of a document that is known',
          examples: [exampleId],
        }),
      ),
    ),
    operationName: Type.Optional(
      Nullable(
        Type.String({
          maxLength: maxNameLength,
          description: 'Which of its operations; needless for one',
          examples: ['Products'],
        }),
      ),
    ),
    variables: Type.Optional(
      Nullable({
        ...openObject,
        description: 'Values of the variables of the operation, by name',
        examples: [{}],
      }),
    ),
    extensions: Type.Optional(
      Nullable({ ...openObject, description: 'Of persisted operations: `persistedQuery`', examples: [{}] }),
    ),
  },
  {
    $id: 'GraphQLRequest',
    description: 'As GraphQL over HTTP says.',
    examples: [{ query: exampleDocument, variables: {} }],
  },
)

const jsonText = Type.String({
  maxLength: maxJsonLength,
  description: 'A JSON object',
  examples: ['{}'],
})

export const GraphQLQuery = Type.Object({
  query: Type.Optional(
    Type.String({
      maxLength: maxDocumentLength,
      description: 'The document',
      examples: [exampleDocument],
    }),
  ),
  documentId: Type.Optional(
    Type.String({
      maxLength: maxDocumentIdLength,
      description: 'Instead of `query`: the SHA-256 of a document that is known',
      examples: [exampleId],
    }),
  ),
  operationName: Type.Optional(
    Type.String({
      maxLength: maxNameLength,
      description: 'Which of its operations; needless for one',
      examples: ['Products'],
    }),
  ),
  variables: Type.Optional(jsonText),
  extensions: Type.Optional(jsonText),
})

export interface RequestParameters extends AskedDocument {
  operationName: string | null
  variables: Variables
}

export function fromBody(body: Static<typeof GraphQLRequest>): RequestParameters {
  const { query = null, documentId = null, operationName = null, variables, extensions } = body
  return {
    query,
    documentId,
    operationName,
    variables: (variables ?? {}) as Variables, // a JSON object by the schema
    extensions: (extensions ?? {}) as Variables, // likewise
  }
}

/** @throws ServiceError `invalid` for text that is no JSON object */
export function fromQuery(given: Static<typeof GraphQLQuery>): RequestParameters {
  const { query = null, documentId = null, operationName = null, variables, extensions } = given
  return {
    query,
    documentId,
    operationName,
    variables: parseObject('variables', variables),
    extensions: parseObject('extensions', extensions),
  }
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
