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
  getNullableType,
} from 'graphql'
import type { TSchema } from 'typebox'
import { capital } from '../../../core/capital.ts'
import { ApplicationError } from '../../../core/feature/application-error.ts'
import type { ReadField, ReadModel, Relation } from '../../../database/read/read-model.ts'
import { isNullable, type MemberSchema, type ObjectSchema, typesOf, withoutNull } from './member-schema.ts'
import { dateScalar, dateTimeScalar, decimalScalar, jsonScalar, uuidScalar } from './scalar.ts'

type Fields = Record<string, GraphQLFieldConfig<unknown, unknown>>

/** Makes the field of a page of an entity's rows. */
type PageField = (types: Types, entity: ReadModel) => GraphQLFieldConfig<unknown, unknown>

export class Types {
  /** Whether rows have members that the process adds after the read, such as names of users. */
  completesRows = false
  readonly #pageField: PageField
  readonly #types = new Map<string, GraphQLObjectType | GraphQLInputObjectType | GraphQLEnumType>()
  /** What each name stands for, so that two different types cannot have one name. */
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
      throw new ApplicationError(
        `The GraphQL type ${name} would be both ${first} and ${origin}: rename one of them.`,
      )
    if (known !== undefined) return known as T // each origin has one creator
    this.#origins.set(name, origin)
    const type = create()
    this.#types.set(name, type)
    return type
  }

  row(entity: ReadModel): GraphQLObjectType {
    const { name, description, table, fields, named } = entity
    return this.named(
      name,
      () => new GraphQLObjectType({ name, description, fields: () => this.#rowFields(entity) }),
      // A row that is only read may also be the object that a verb returns: both have the same schema.
      named === undefined ? `a row of the table ${table}` : objectOf([...fields.keys()]),
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
        return field.isTextList === true ? new GraphQLList(new GraphQLNonNull(GraphQLString)) : jsonScalar
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

  /** @param schema an object schema with an `$id` */
  object(schema: TSchema): GraphQLObjectType {
    return this.#object(schema as unknown as ObjectSchema, '') // an object schema
  }

  /** @param schema an id, or an object schema with an `$id` */
  input(schema: TSchema): GraphQLInputType {
    return this.#input(schema as unknown as MemberSchema, '') // a schema is one
  }

  #rowFields(entity: ReadModel): Fields {
    const fields: Fields = {}
    const own = [...entity.fields.values()]
    if (entity.userNames !== undefined || own.some(({ completed }) => completed !== undefined))
      this.completesRows = true
    for (const field of [...own, ...(entity.userNames?.values() ?? [])]) {
      const type = required(this.field(entity, field), !field.isNullable && field.permission === undefined)
      fields[field.name] = { type, description: field.description }
    }
    for (const relation of entity.relations.values()) {
      const field = this.#relationField(relation)
      const type = relation.permission === undefined ? field.type : getNullableType(field.type)
      fields[relation.name] = { ...field, type, description: relation.description }
    }
    return fields
  }

  #relationField({ kind, entity, isPaged }: Relation): ReturnType<PageField> {
    if (isPaged === true) return this.#pageField(this, entity)
    const row = this.row(entity)
    return { type: kind === 'one' ? row : listOf(row) }
  }

  /** @param path the name of a schema without an `$id`: those of the objects around it, and of its member */
  #object({ $id: name, properties, required: needed = [], description }: ObjectSchema, path: string) {
    const typeName = name ?? path
    const create = () => {
      const fields = Object.entries(properties).map(([member, shape]) => {
        const type = this.#output(shape, `${typeName}${capital(member)}`)
        const isPresent = needed.includes(member) && !isNullable(shape)
        return [member, { type: required(type, isPresent), description: shape.description ?? null }] as const
      })
      return new GraphQLObjectType({ name: typeName, description, fields: Object.fromEntries(fields) })
    }
    return this.named(typeName, create, objectOf(Object.keys(properties)))
  }

  #output(given: MemberSchema, name: string): GraphQLOutputType {
    const shape = withoutNull(given)
    const { items, properties } = shape
    if (shape['x-json'] === true) return jsonScalar
    if (properties !== undefined) return this.#object({ ...shape, properties }, name)
    if (items === undefined) return this.#scalar(shape, name)
    return new GraphQLList(required(this.#output(items, singular(name)), !isNullable(items)))
  }

  #input(given: MemberSchema, name: string): GraphQLInputType {
    const shape = withoutNull(given)
    const { items, properties } = shape
    if (shape['x-json'] === true) return jsonScalar
    if (properties !== undefined) return this.#inputObject({ ...shape, properties })
    if (items === undefined) return this.#scalar(shape, name)
    return new GraphQLList(new GraphQLNonNull(this.#input(items, singular(name))))
  }

  #scalar(shape: MemberSchema, name: string) {
    if (shape.enum !== undefined)
      return this.enumeration(
        name,
        shape.enum.filter((value) => value !== null),
      )
    const [type, ...others] = typesOf(shape)
    if (type === 'boolean' && others.length === 0) return GraphQLBoolean
    if (type === 'integer' && others.length === 0) return GraphQLInt
    if (type === 'number' && others.length === 0) return decimalScalar
    if (type !== 'string' || others.length > 0) return jsonScalar // GraphQL has no type for it
    if (shape.format === 'uuid') return uuidScalar
    if (shape.format === 'date') return dateScalar
    return shape.format === 'date-time' ? dateTimeScalar : GraphQLString
  }

  /** @throws Error for a schema without a name */
  #inputObject({ $id: name = '', properties, required: needed = [], description }: ObjectSchema) {
    if (name === '') {
      const members = Object.keys(properties).join(', ')
      throw new ApplicationError(
        `An input of GraphQL has no name: give the schema with the members ${members} an $id.`,
      )
    }
    const create = () => {
      const fields = Object.entries(properties).map(([member, shape]) => {
        const type = this.#input(shape, `${name.replace(/Input$/, '')}${capital(member)}`)
        const isNeeded = needed.includes(member) && !isNullable(shape)
        return [member, { type: required(type, isNeeded), description: shape.description ?? null }] as const
      })
      return new GraphQLInputObjectType({ name, description, fields: Object.fromEntries(fields) })
    }
    return this.named(name, create, 'an input')
  }
}

function objectOf(members: readonly string[]): string {
  return `an object of ${members.join(', ')}`
}

export function listOf(type: GraphQLObjectType): GraphQLOutputType {
  return new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)))
}

export function required<T extends GraphQLInputType | GraphQLOutputType>(type: T, isRequired: boolean): T {
  return isRequired ? (new GraphQLNonNull(type) as unknown as T) : type // non-null is a type of both kinds too
}

function singular(name: string): string {
  return name.replace(/s$/, '')
}
