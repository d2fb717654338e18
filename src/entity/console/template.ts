/** Templates of a subtitle: `#{number} · {customer.name}`. */

export interface TemplateField {
  field: string
  /** A field of the row to which the field refers; `null` without a dot. */
  step: string | null
}

/** @returns `null` for text with braces that are no placeholder */
export function placeholdersOf(template: string): TemplateField[] | null {
  if (/[{}]/.test(template.replaceAll(placeholder, ''))) return null
  return [...template.matchAll(placeholder)].map(([, field = '', step]) => ({ field, step: step ?? null }))
}

const placeholder = /\{([A-Za-z][A-Za-z0-9]*)(?:\.([A-Za-z][A-Za-z0-9]*))?\}/g
