/** What a definition says of another entity, for a check when all are known. */
export interface HintedEntity {
  /** Where it says so: `ticket.console.related.comments`. */
  place: string
  /** Its name, or its plural. */
  entity: string
  /** Fields that it must have. */
  fields: readonly string[]
  /** The entity to which it must refer. */
  refersTo?: string
  /** By this field, if it has several. */
  by?: string
}
