import { useApp } from '../app-context.ts'
import { draftsOf } from '../component/draft.ts'
import type { EntityDescription } from '../describe.ts'

/** Under which name what is typed is kept. @param id `new` for a row to create, nothing for what the names of all rows begin with */
export function useDraftKey({ name }: EntityDescription, id: string): string {
  return `${draftsOf(useApp().user)}${name}/${id}`
}
