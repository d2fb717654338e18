/** How the GraphQL fields of what is only read are called for rows of another tenant: as their models say. */
import type { Feature } from '../../src/core/feature/feature.ts'
import type { EntityQueryField, QueryField } from '../../src/core/feature/field.ts'
import type { ReadModel } from '../../src/database/read/read-model.ts'
import type { Asked, Recipe, Targets } from './graphql-recipe.ts'

/** Rows of the tenant, by the type of a row. */
const targetOf: Readonly<Record<string, keyof Targets>> = {
  ApiKey: 'apiKey',
  Invitation: 'invitation',
  Job: 'job',
  WebhookProvider: 'provider',
  WebhookRule: 'rule',
  WebhookSubscription: 'subscription',
  PortalSession: 'portal',
  SignUp: 'invitation', // no tenant has one
  User: 'user',
  Mail: 'mail',
  WebhookDelivery: 'delivery',
  WebhookReceipt: 'receipt',
}

/** By the names of the fields of Query. */
export function readableQueries(features: readonly Feature[]): Record<string, Recipe> {
  const fields = features.flatMap(({ graphql }) => Object.entries(graphql?.queries ?? {}))
  return Object.fromEntries(
    fields.flatMap(([name, field]) => (isReadable(field) ? [[name, asked(name, field)]] : [])),
  )
}

function isReadable(field: QueryField): field is EntityQueryField {
  return field.kind !== 'object' && field.entity.named !== undefined
}

function asked(name: string, { kind, entity }: EntityQueryField): Recipe {
  const members = membersOf(entity)
  return (targets): Asked[] => {
    const target = targetOf[entity.name]
    if (target === undefined)
      throw new Error(`Write into test/isolation/readable-queries.ts which row of ${entity.name} is tried.`)
    if (kind === 'one') return [{ query: `{ ${name}(id: "${String(targets[target])}") ${members} }` }]
    if (kind === 'aggregate') return [{ query: `{ ${name} { count } }` }]
    return [
      {
        query: `{ ${name} { totalCount nodes ${members} edges { cursor node ${members} } pageInfo { hasNextPage } } }`,
      },
    ]
  }
}

function membersOf({ fields }: ReadModel): string {
  return `{ ${[...fields.keys()].join(' ')} }`
}
