import { Type } from 'typebox'
import { matchRanks } from '../../core/feature/browsed.ts'
import { Uuid } from '../../core/schema/schema.ts'

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

const Hit = Type.Object({
  id: { ...Uuid, description: 'The id of the row' },
  title: Type.String({
    description: 'The value of the member by which people recognise it',
    examples: ['Oak table'],
  }),
  match: Type.Unsafe<(typeof matchRanks)[number]>({
    type: 'string',
    enum: matchRanks,
    description:
      'How well it fits: `exact` for an id or a number, `title` if its title begins with the text, `word` if words begin with it, `part` otherwise',
    examples: ['title'],
  }),
  member: Type.String({ description: 'The member that matches', examples: ['name'] }),
  excerpt: Type.String({
    description: 'Its value, or the part of a long text around the match',
    examples: ['Oak table'],
  }),
})

const FoundIn = Type.Object({
  entity: Type.String({ description: 'The name of the entity', examples: ['product'] }),
  total: Type.Integer({ description: `How many rows match, ${maxCounted} at most`, examples: [23] }),
  isCapped: Type.Boolean({ description: 'Whether more match than `total`', examples: [false] }),
  hits: Type.Array(Hit, { description: 'The best first, then the newest' }),
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
