/** A user that a row names: the name, and its choice, for whoever may see users; the id for others. */
import { useId, useState } from 'preact/hooks'
import { ApiError, get } from '../api.ts'
import { useApp } from '../app-context.ts'
import type { ControlProps } from '../component/field.tsx'
import { Tile } from '../component/tile.tsx'
import { useLoaded } from '../load.ts'
import { hrefOf } from '../router.ts'
import { text } from '../text/text.ts'

interface NamedUser {
  id: string
  userName: string
}

/** Deleted users have no name. */
async function loadUser(id: string): Promise<NamedUser | null> {
  try {
    return await get<NamedUser>(`/api/users/${id}`)
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

/** @returns `null` for a deleted user, and for whoever may not see users */
export function useUserName(id: string): string | null {
  const maySee = useApp().can('user:read')
  const { data } = useLoaded(`user/${id}/${maySee}`, () => (maySee ? loadUser(id) : Promise.resolve(null)))
  return data?.userName ?? null
}

interface PickerProps {
  control: ControlProps
  value: unknown
  onChange: (id: string | null) => void
}

/** How many are offered; the names of others are typed. */
const maxOffered = 200

export function UserPicker(props: PickerProps) {
  const { control, value, onChange } = props
  if (useApp().can('user:read')) return <NamePicker {...props} />
  return (
    <input
      {...control}
      value={typeof value === 'string' ? value : ''}
      onInput={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
    />
  )
}

function NamePicker({ control, value, onChange }: PickerProps) {
  const { tenantId } = useApp().user
  const listId = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [isUnknown, setUnknown] = useState(false)
  const id = typeof value === 'string' ? value : null
  const chosen = useLoaded(`user/${id}`, () => (id === null ? Promise.resolve(null) : loadUser(id)))
  const offered = useLoaded(`users/${tenantId}`, (signal) =>
    get<NamedUser[]>('/api/users', { query: { tenantId, limit: `${maxOffered}` }, signal }),
  )
  const users = offered.data ?? []
  const pick = async (name: string) => {
    if (name === '') return onChange(null)
    const found = users.find(({ userName }) => userName === name) ?? (await findUser(tenantId, name))
    setUnknown(found === null)
    if (found !== null) onChange(found.id)
  }
  return (
    <div>
      <input
        {...control}
        list={listId}
        autocomplete="off"
        placeholder={text.form.pick}
        value={typed ?? chosen.data?.userName ?? id ?? ''}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onChange={({ currentTarget }) => void pick(currentTarget.value.trim())}
      />
      <datalist id={listId}>
        {users.map(({ id: each, userName }) => (
          <option key={each} value={userName} />
        ))}
      </datalist>
      {isUnknown && <p class="soft">{text.form.noMatch}</p>}
    </div>
  )
}

async function findUser(tenantId: string, name: string): Promise<NamedUser | null> {
  try {
    return await get<NamedUser>(`/api/users/by-username/${encodeURIComponent(name)}`, { query: { tenantId } })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}
