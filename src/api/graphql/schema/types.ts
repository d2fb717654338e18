/** The types of a schema, each created once: rows, objects and inputs. */
import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfig,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from 'graphql'
import type { TSchema } from 'typebox'
import type { ReadField, ReadModel } from '../../../database/read/read-model.ts'
import { dateScalar, dateTimeScalar, decimalScalar, jsonScalar, uuidScalar } from './scalar.ts'

type Fields = Record<string, GraphQLFieldConfig<unknown, unknown>>

/** Makes the field of a page of an entity's rows. */
type PageField = (types: Types, entity: ReadModel) => GraphQLFieldConfig<unknown, unknown>

export class Types {
  readonly #pageField: PageField
  readonly #types = new Map<string, GraphQLObjectType | GraphQLInputObjectType | GraphQLEnumType>()
  readonly #origins = new Map<string, string>()

  constructor(pageField: PageField) {
    this.#pageField = pageField
  }

  /**
   * @param origin what the type stands for
   * @returns the type of this name, created on first use
   * @throws Error if the name stands for something else already
   */
  named<T extends GraphQLObjectType | GraphQLInputObjectType | GraphQLEnumType>(
    name: string,
    create: () => T,
    origin = 'a part of lists',
  ): T {
    const known = this.#types.get(name)
    const first = this.#origins.get(name) ?? origin
    if (first !== origin)
      throw new Error(`The GraphQL type ${name} would be both ${first} and ${origin}: rename one of them.`)
    if (known !== undefined) return known as T // each origin has one creator
    this.#origins.set(name, origin)
    const type = create()
    this.#types.set(name, type)
    return type
  }

  row(entity: ReadModel): GraphQLObjectType {
    const { name, description, table } = entity
    return this.named(
      name,
      () => new GraphQLObjectType({ name, description, fields: () => this.#rowFields(entity) }),
      `a row of the table ${table}`,
    )
  }

  /** The type of a field's values, nullable. */
  field(entity: ReadModel, field: ReadField): GraphQLOutputType & GraphQLInputType {
    switch (field.kind) {
      case 'uuid':
        return uuidScalar
      case 'timestamp':
        return dateTimeScalar
      case 'date':
        return dateScalar
      case 'json':
        return jsonScalar
      case 'decimal':
        return decimalScalar
      case 'integer':
        return GraphQLInt
      case 'boolean':
        return GraphQLBoolean
      case 'text':
        return GraphQLString
      case 'enum':
        return this.enumeration(`${entity.name}${capital(field.name)}`, field.values)
    }
  }

  enumeration(name: string, values: readonly string[]): GraphQLEnumType {
    const entries = values.map((value) => [value, {}] as const)
    return this.named(
      name,
      () => new GraphQLEnumType({ name, values: Object.fromEntries(entries) }),
      `the enumeration of ${values.join(', ')}`,
    )
  }

  /** @param schema an object schema with an `$id`, of scalars and lists of them */
  object(schema: TSchema): GraphQLObjectType {
    const { $id: name = '', properties, description } = schema as unknown as ObjectSchema // an object schema
    const fields = Object.entries(properties).map(([member, shape]) => {
      const type = this.#shape(shape, `${name}${capital(member)}`) as GraphQLOutputType // its members are scalars
      return [
        member,
        { type: required(type, !isNullable(shape)), description: shape.description ?? null },
      ] as const
    })
    return this.named(
      name,
      () => new GraphQLObjectType({ name, description, fields: Object.fromEntries(fields) }),
      'an object',
    )
  }

  /** @param schema an id, or an object schema with an `$id` */
  input(schema: TSchema): GraphQLInputType {
    return this.#shape(schema as unknown as MemberSchema, '') // a schema is one
  }

  #rowFields(entity: ReadModel): Fields {
    const fields: Fields = {}
    for (const field of entity.fields.values()) {
      const type = required(this.field(entity, field), !field.isNullable)
      fields[field.name] = { type, description: field.description }
    }
    for (const { name, kind, entity: other, isPaged, description } of entity.relations.values()) {
      const row = this.row(other)
      fields[name] =
        isPaged === true
          ? { ...this.#pageField(this, other), description }
          : { type: kind === 'one' ? row : listOf(row), description }
    }
    return fields
  }

  #shape(shape: MemberSchema, name: string): GraphQLInputType {
    if (shape['x-json'] === true) return jsonScalar
    if (shape.properties !== undefined) return this.#inputObject({ ...shape, properties: shape.properties })
    if (shape.items !== undefined) {
      return new GraphQLList(new GraphQLNonNull(this.#shape(shape.items, name.replace(/s$/, ''))))
    }
    const [type] = [shape.type ?? []].flat()
    if (shape.enum !== undefined)
      return this.enumeration(
        name,
        shape.enum.filter((value) => value !== null),
      )
    if (type === 'boolean') return GraphQLBoolean
    if (type === 'integer') return GraphQLInt
    if (type === 'number') return decimalScalar
    if (shape.format === 'uuid') return uuidScalar
    if (shape.format === 'date') return dateScalar
    return shape.format === 'date-time' ? dateTimeScalar : GraphQLString
  }

  /** @throws Error for a schema without a name */
  #inputObject({ $id: name = '', properties, required: needed = [], description }: ObjectSchema) {
    if (name === '') {
      const members = Object.keys(properties).join(', ')
      throw new Error(`An input of GraphQL has no name: give the schema with the members ${members} an $id.`)
    }
    const create = () => {
      const fields = Object.entries(properties).map(([member, shape]) => {
        const type = this.#shape(shape, `${name.replace(/Input$/, '')}${capital(member)}`)
        const isNeeded = needed.includes(member) && !isNullable(shape)
        return [member, { type: required(type, isNeeded), description: shape.description ?? null }] as const
      })
      return new GraphQLInputObjectType({ name, description, fields: Object.fromEntries(fields) })
    }
    return this.named(name, create, 'an input')
  }
}

export function listOf(type: GraphQLObjectType): GraphQLOutputType {
  return new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)))
}

export function required<T extends GraphQLInputType | GraphQLOutputType>(type: T, isRequired: boolean): T {
  return isRequired ? (new GraphQLNonNull(type) as unknown as T) : type // non-null is a type of both kinds too
}

interface MemberSchema {
  /** Any JSON value, as the scalar JSON. */
  'x-json'?: boolean
  $id?: string
  type?: string | readonly string[]
  format?: string
  enum?: readonly (string | null)[]
  items?: MemberSchema
  properties?: Record<string, MemberSchema>
  required?: readonly string[]
  description?: string
}

interface ObjectSchema extends MemberSchema {
  properties: Record<string, MemberSchema>
}

function isNullable({ type, 'x-json': isJson = false }: MemberSchema): boolean {
  return isJson || (Array.isArray(type) && type.includes('null'))
}

export function capital(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
