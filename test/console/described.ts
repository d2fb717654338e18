/** Entities and fields as the service describes them, for tests of what the console makes of them. */
import type { EntityDescription, FieldDescription } from '../../assets/console/describe.ts'

/** A text, unless told otherwise. */
export function describedField(name: string, members: Partial<FieldDescription> = {}): FieldDescription {
  return {
    name,
    kind: 'text',
    description: null,
    isNullable: false,
    isRequired: false,
    isReadOnly: false,
    relation: null,
    entity: null,
    fileTypes: [],
    schema: {},
    ...members,
  }
}

/** Without operations and actions, unless told otherwise. */
export function describedEntity(
  name: string,
  fields: readonly FieldDescription[],
  members: Partial<EntityDescription> = {},
): EntityDescription {
  return {
    name,
    plural: `${name}s`,
    label: name,
    labels: `${name}s`,
    description: '',
    title: 'name',
    isSearched: true,
    sortedBy: ['name'],
    operations: {},
    actions: [],
    isLive: false,
    subscriptions: [],
    fields,
    ...members,
  }
}
