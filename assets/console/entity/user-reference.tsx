/** The user to whom a field refers: the name, or the id if the reader may not see users. */
import { ApiError, get } from '../api.ts'
import { useApp } from '../app-context.ts'
import type { PickerSource } from '../component/picker.tsx'
import { Tile } from '../component/tile.tsx'
import { useLoaded } from '../load.ts'
import { findUsers, type NamedUser } from '../page/finders.ts'
import { hrefOf } from '../router.ts'
import { text } from '../text/text.ts'

/** @returns the user's name; `null` for a deleted user */
async function nameOf(id: string): Promise<string | null> {
  try {
    return (await get<NamedUser>(`/api/users/${id}`)).userName
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

export function UserName({ id }: { id: string }) {
  const name = useUserName(id)
  if (name === null) return <code>{id}</code>
  return (
    <a class="named" href={hrefOf(`/users/${id}`)}>
      <Tile name={name} size="small" isRound />
      <span class="truncate">{name}</span>
    </a>
  )
}

/** @returns the user's name; `null` for a deleted user, and if the reader may not see users */
export function useUserName(id: string): string | null {
  const maySee = useApp().can('user:read')
  const { data } = useLoaded(`user/${id}/${maySee}`, () => (maySee ? nameOf(id) : Promise.resolve(null)))
  return data
}

export function userSource(tenantId: string): PickerSource {
  return {
    label: text.navigation.users,
    isRound: true,
    find: (typed, signal) => findUsers(typed, signal, { tenantId }),
    nameOf,
  }
}
