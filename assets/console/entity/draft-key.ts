import { useApp } from '../app-context.ts'
import { draftsOf } from '../component/draft.ts'
import type { EntityDescription } from '../describe.ts'

/**
 * @returns the name for the draft of a row's form
 * @param id `new` for a row to create; '' for the beginning of all names
 */
export function useDraftKey({ name }: EntityDescription, id: string): string {
  return `${draftsOf(useApp().user)}${name}/${id}`
}
