/** The settings of a tenant in GraphQL. Their members are those that features and the application declare. */
import { type TSchema, Type } from 'typebox'
import { type GraphQLPart, objectMutation } from '../../core/feature/field.ts'
import type { DeclaredSettings } from '../../core/tenant/settings/declared.ts'
import { getTenantSettings, updateTenantSettings } from './settings.ts'

/** @param shapes the schemas of the settings that the features of this service declare */
export function tenantSettingGraphQL({ shapes }: DeclaredSettings): GraphQLPart {
  const type = typed(shapes.all)
  return {
    queries: {
      tenantSettings: {
        kind: 'object',
        type,
        access: 'setting:read',
        description: 'The settings of the tenant.',
        read: async (context) => (await getTenantSettings(context)).values,
      },
    },
    mutations: {
      updateTenantSettings: objectMutation({
        type,
        access: 'setting:write',
        description: 'Changes the given settings of the tenant. With null a setting gets its default again.',
        args: { input: typed(shapes.change) },
        run: async (inside, { input }) => (await updateTenantSettings(inside, input)).values,
      }),
    },
  }
}

interface Members {
  $id: string
  description: string
  required?: string[]
  properties: Record<string, Member>
}

interface Member {
  'x-json'?: true
  type?: string | readonly string[]
  enum?: readonly unknown[]
  items?: Member
  description?: string
}

/** The same members with types of GraphQL: a value that is neither a scalar nor a list of scalars is JSON. */
function typed(schema: TSchema): TSchema {
  const { $id, description, required = [], properties } = schema as unknown as Members // an object schema
  const members = Object.entries(properties).map(([name, member]) => {
    const shown = isPlain(member) || isListOfPlain(member) ? member : anyJson(member)
    const shape = Type.Unsafe({ ...withoutOtherEnum(shown) })
    return [name, required.includes(name) ? shape : Type.Optional(shape)] as const
  })
  return Type.Object(Object.fromEntries(members), { $id, description })
}

const plainTypes = ['string', 'boolean', 'integer', 'number']

function isPlain({ type, enum: values }: Member): boolean {
  const types = [type ?? []].flat().filter((name) => name !== 'null')
  if (types.length === 0)
    return values?.every((value) => typeof value === 'string' || value === null) ?? false
  return types.length === 1 && plainTypes.includes(types[0] ?? '')
}

function isListOfPlain({ type, items }: Member): boolean {
  return [type].flat().includes('array') && items !== undefined && isPlain(items) && items.enum === undefined
}

function anyJson({ description }: Member): Member {
  return { 'x-json': true, ...(description !== undefined && { description }) }
}

/** An enumeration becomes a text if a value is not a valid name in GraphQL. */
function withoutOtherEnum(member: Member): Member {
  const { enum: values, ...rest } = member
  if (values === undefined) return member
  const type = values.includes(null) ? ['string', 'null'] : 'string'
  const isEnumeration = values.every((value) => value === null || /^[A-Za-z]\w*$/.test(String(value)))
  return isEnumeration ? { ...member, type } : { ...rest, type }
}
