/** Reads the arguments of a field. The library reads all but variables, which were read before. */
import { type FieldNode, type GraphQLField, getArgumentValues, isNonNullType, Kind } from 'graphql'
import type { Variables } from '../document/variables.ts'

/** @throws GraphQLError for values of other types */
export type ArgumentReader = (variables: Variables) => Variables

/** @param node of the field in a validated document */
export function argumentReader(definition: GraphQLField<unknown, unknown>, node: FieldNode): ArgumentReader {
  const readByLibrary: ArgumentReader = (variables) => getArgumentValues(definition, node, variables)
  const fromVariables: { name: string; variable: string; isRequired: boolean; mayBeAbsent: boolean }[] = []
  for (const { name, type, defaultValue } of definition.args) {
    const isRequired = isNonNullType(type)
    const mayBeAbsent = !isRequired && defaultValue === undefined
    const value = node.arguments?.find((argument) => argument.name.value === name)?.value
    if (value === undefined && mayBeAbsent) continue
    if (value?.kind !== Kind.VARIABLE) return readByLibrary
    fromVariables.push({ name, variable: value.name.value, isRequired, mayBeAbsent })
  }
  return (variables) => {
    const values: Variables = {}
    for (const { name, variable, isRequired, mayBeAbsent } of fromVariables) {
      if (Object.hasOwn(variables, variable)) {
        const value = variables[variable]
        if (value === null && isRequired) return readByLibrary(variables)
        values[name] = value
      } else if (!mayBeAbsent) return readByLibrary(variables)
    }
    return values
  }
}
