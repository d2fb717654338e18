import { useApp } from '../app-context.ts'
import type { EntityDescription } from '../describe.ts'

/** Under which name what is typed is kept. @param id `new` for a row to create */
export function useDraftKey({ name }: EntityDescription, id: string): string {
  const { user } = useApp()
  return `${user.tenantId}/${user.id}/${name}/${id}`
}
