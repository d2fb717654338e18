/** The schemas of the search over all entities, and its limits. */
import { Type } from 'typebox'
import { FoundRow } from '../../core/feature/browsed.ts'

export const maxTextLength = 200
const maxHits = 20
export const defaultHits = 5
/** How many hits of each entity are counted. */
export const maxCounted = 100

export const SearchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: maxTextLength,
    description: 'Words of which each occurs in the row, an id, or a number such as `41` or `#41`',
    examples: ['oak'],
  }),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxHits,
      description: `Rows of each entity; ${defaultHits} if absent`,
      examples: [5],
    }),
  ),
  entity: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'Looks in the rows of this entity only',
      examples: ['product'],
    }),
  ),
})

const FoundIn = Type.Object({
  entity: Type.String({ description: 'The name of the entity', examples: ['product'] }),
  total: Type.Integer({ description: `How many rows match, ${maxCounted} at most`, examples: [23] }),
  isCapped: Type.Boolean({ description: 'Whether more match than `total`', examples: [false] }),
  hits: Type.Array(FoundRow, { description: 'The best first, then the newest' }),
})

export const SearchReply = Type.Object(
  {
    found: Type.Array(FoundIn, { description: 'The entities that have a match' }),
    leftOut: Type.Array(Type.String(), {
      description: 'Entities whose rows took too long: look in one of them with `entity`',
      examples: [[]],
    }),
  },
  { $id: 'SearchReply', description: 'Rows of all entities that match a text.' },
)
