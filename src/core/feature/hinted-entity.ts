/**
 * A reference from the console hints of one entity to another entity. It is checked at the start, when all entities are
 * known.
 */
export interface HintedEntity {
  /** Where the definition has the reference: `ticket.console.related.comments`. */
  place: string
  /** The name of the other entity, or its plural. */
  entity: string
  /** Fields that the other entity must have. */
  fields: readonly string[]
  /** The entity to which the other entity must refer. */
  refersTo?: string
  /** The field that refers to `refersTo`. It is required where several fields do. */
  by?: string
}
