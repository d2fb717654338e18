/** The GraphQL fields of an entity. */

import type { TSchema } from 'typebox'
import { capital } from '../core/capital.ts'
import type { GraphQLPart, MutationField, QueryField, SubscriptionField } from '../core/feature/field.ts'
import { mutation } from '../core/feature/field.ts'
import { withArticle } from '../core/language/article.ts'
import { Uuid } from '../core/schema/schema.ts'
import { actionEvents } from './event.ts'
import type { EntityParts } from './parts.ts'
import { actionSummary, bodyOf } from './rest.ts'
import type { Values } from './row.ts'

export function graphqlOf(parts: EntityParts): GraphQLPart {
  return { queries: queriesOf(parts), mutations: mutationsOf(parts), subscriptions: subscriptionsOf(parts) }
}

function queriesOf({ names, model, access, offered, plainList }: EntityParts): Record<string, QueryField> {
  const description = `Matching ${names.labels}, in the order of creation by default.`
  const list = { entity: model, access: access.operations.list, description }
  const lists: Record<string, QueryField> = plainList
    ? {
        [names.plural]: { ...list, kind: 'list' },
        [`${names.plural}Connection`]: {
          ...list,
          kind: 'connection',
          description: `Pages of ${names.labels}.`,
        },
      }
    : { [names.plural]: { ...list, kind: 'connection' } }
  const one: QueryField = {
    kind: 'one',
    entity: model,
    access: access.operations.get,
    description: `The ${names.label} with this id, or null.`,
  }
  const aggregate: QueryField = {
    kind: 'aggregate',
    entity: model,
    access: access.operations.list,
    description: `Numbers of the matching ${names.labels}, by group.`,
  }
  return {
    ...(offered.has('list') && { ...lists, [`${names.plural}Aggregate`]: aggregate }),
    ...(offered.has('get') && { [names.name]: one }),
  }
}

/** GraphQL has no type without members: an entity that callers write nothing of takes no input. */
function inputOf(schema: TSchema): { input?: TSchema } {
  const { properties = {} } = schema as { properties?: object } // an object schema
  return Object.keys(properties).length === 0 ? {} : { input: schema }
}

function mutationsOf({
  names,
  shape,
  model,
  rows,
  access,
  offered,
  actions,
  mayBecomeUnreadable,
}: EntityParts): Record<string, MutationField> {
  // A mutation returns null if the caller may not read the row that it has written.
  const nullability = { ...(mayBecomeUnreadable && { isNullable: true }) }
  const { type, label } = names
  const renamed = (schema: TSchema, $id: string) => ({ ...schema, $id }) as TSchema // still a schema
  const common = { entity: model, impersonation: 'allowed' } as const
  const fields: Record<string, MutationField> = {
    ...(offered.has('create') && {
      [`create${type}`]: mutation({
        ...common,
        access: access.operations.create,
        description: `Creates ${withArticle(label)}.`,
        ...nullability,
        args: inputOf(renamed(shape.input, `Create${type}Input`)),
        run: async (inside, { input = {} }) => (await rows.create(inside, input as Values)).id, // an object by its schema
      }),
    }),
    ...(offered.has('change') && {
      [`update${type}`]: mutation({
        ...common,
        access: access.operations.change,
        description: `Changes ${withArticle(label)}.`,
        ...nullability,
        args: { id: Uuid, ...inputOf(renamed(shape.change, `Update${type}Input`)) },
        run: async (inside, { id, input = {} }) =>
          (await rows.change(inside, id, { input: input as Values })).id, // an object by its schema
      }),
    }),
    ...(offered.has('delete') && {
      [`delete${type}`]: mutation({
        ...common,
        access: access.operations.delete,
        description: `Deletes ${withArticle(label)}, and returns its last state.`,
        args: { id: Uuid },
        returns: 'before',
        run: async (inside, { id }) => (await rows.delete(inside, id)).id,
      }),
    }),
  }
  for (const [name, { input, summary, impersonation }] of Object.entries(actions)) {
    fields[`${name}${type}`] = mutation({
      entity: model,
      impersonation: impersonation ?? 'allowed',
      access: access.actions[name] ?? access.operations.write,
      description: `${actionSummary(names, name, summary)}.`,
      ...nullability,
      args: { id: Uuid, ...(input !== undefined && { input: bodyOf(input, names, name) }) },
      run: async (inside, { id, ...given }) => {
        const { input: values = {} } = given as { input?: Values } // an object by its schema
        return (await rows.act(inside, id, { name, input: values })).id
      },
    })
  }
  return fields
}

/** With row rules or live lists, events store values of their row: its readers are then told of deletions too. */
function subscriptionsOf({
  names,
  model,
  access,
  actions,
  history,
  isLive,
  isRuled,
}: EntityParts): Record<string, SubscriptionField> {
  const isDecided = isLive || isRuled
  const events = [
    'created',
    'updated',
    ...(isDecided ? ['deleted'] : []),
    ...(history === null || history.trashDays === null ? [] : ['restored']),
    ...actionEvents(actions),
  ]
  return Object.fromEntries(
    events.map((event): [string, SubscriptionField] => [
      `on${names.type}${capital(event)}`,
      {
        event: `${names.name}.${event}`,
        entity: model,
        ...(isDecided && { isDecided, isDeletion: event === 'deleted' }),
        access: isDecided ? access.readsSome : access.operations.read,
        description: `Each ${names.label} that was ${event}, in the order of the commits.`,
        idOf: (payload: Record<string, string>) => payload[`${names.name}Id`] ?? '',
      },
    ]),
  )
}
