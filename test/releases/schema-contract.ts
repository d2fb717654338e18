/** What `schema.graphql` promises to clients, and what it demands of them, a line each. */
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql'
import type { ContractLine } from './contract-line.ts'

export function schemaContract(text: string): ContractLine[] {
  const types = Object.values(buildSchema(text).getTypeMap())
  return types.filter((type) => !(isIntrospectionType(type) || isSpecifiedScalarType(type))).flatMap(linesOf)
}

function linesOf(type: GraphQLNamedType): ContractLine[] {
  return [promise(`type ${type.name}`), ...partsOf(type)]
}

function partsOf(type: GraphQLNamedType): ContractLine[] {
  const { name } = type
  if (isEnumType(type)) return type.getValues().map((value) => promise(`${name}.${value.name}`))
  if (isUnionType(type)) return type.getTypes().map((member) => promise(`${name} may be ${member.name}`))
  if (isInputObjectType(type))
    return Object.values(type.getFields()).flatMap((field) => inputLines(name, field))
  if (!(isObjectType(type) || isInterfaceType(type))) return []
  return Object.values(type.getFields()).flatMap((field) => [
    promise(`${name}.${field.name}: ${field.type}`),
    ...field.args.flatMap((argument) => argumentLines(`${name}.${field.name}`, argument)),
  ])
}

function inputLines(type: string, field: GraphQLInputField): ContractLine[] {
  const promised = promise(`${type} accepts ${field.name}: ${nullable(String(field.type))}`)
  if (!isRequiredInputField(field)) return [promised]
  return [promised, { kind: 'demand', of: `type ${type}`, text: `${type}.${field.name} is required` }]
}

function promise(text: string): ContractLine {
  return { kind: 'promise', text }
}

function argumentLines(field: string, argument: GraphQLArgument): ContractLine[] {
  const { name, type } = argument
  const promised: ContractLine = {
    kind: 'promise',
    text: `${field} accepts ${name}: ${nullable(String(type))}`,
  }
  if (!isRequiredArgument(argument)) return [promised]
  return [promised, { kind: 'demand', of: `${field}:`, text: `${field} requires ${name}` }]
}

/** Whether a value must be given is a demand of its own. */
function nullable(type: string): string {
  return type.replace(/!$/, '')
}
