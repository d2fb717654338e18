/** The users of the tenant; administrators of the host see those of any tenant, or of all. */
import { useState } from 'preact/hooks'
import { isHostAdmin } from '../../access.ts'
import { get } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { type Column, DataTable } from '../../component/data-table.tsx'
import { Moment } from '../../component/moment.tsx'
import { useLoaded } from '../../load.ts'
import { goTo, hrefOf, usePlace } from '../../router.ts'
import { text } from '../../text/text.ts'
import { ActiveBadge } from './active-badge.tsx'
import type { User } from './types.ts'
import { EditUser, NewUser } from './user.tsx'

const texts = text.administration.users
const { common } = text.administration
const shownAtOnce = 100
/** In the address; no tenant has such an id. */
const allTenants = '*'

export function UsersPage() {
  const { path } = usePlace()
  const [, , id] = path.split('/')
  if (id === undefined) return <UserList />
  return id === 'new' ? <NewUser /> : <EditUser key={id} id={id} />
}

const nameColumn: Column<User> = {
  label: texts.userName,
  show: ({ id, userName }) => <a href={hrefOf(`/users/${id}`)}>{userName}</a>,
}

const columns: readonly Column<User>[] = [
  { label: common.name, show: ({ firstName, lastName }) => `${firstName} ${lastName}` },
  { label: texts.email, show: ({ email }) => email },
  {
    label: texts.roles,
    show: ({ roles }) => (
      <span class="row">
        {roles.map((role) => (
          <span class="badge" key={role}>
            {role}
          </span>
        ))}
      </span>
    ),
  },
  { label: common.state, show: ({ isActive }) => <ActiveBadge isActive={isActive} /> },
  { label: common.createdAt, show: ({ createdAt }) => <Moment value={createdAt} /> },
]

const tenantColumn: Column<User> = {
  label: common.ofTenant,
  show: ({ tenantId }) => <a href={hrefOf('/users', { tenantId })}>{tenantId}</a>,
}

function UserList() {
  const { user, can } = useApp()
  const { query } = usePlace()
  const tenantId = query.get('tenantId') ?? user.tenantId
  const isOfAll = tenantId === allTenants
  const [count, setCount] = useState(shownAtOnce)
  const loaded = useLoaded(`users ${tenantId}`, async (signal) => ({
    ofTenant: tenantId,
    users: await get<User[]>('/api/users', { query: isOfAll ? {} : { tenantId }, signal }),
  }))
  // The users of another tenant are not shown under the name of this one while it is loaded.
  const users = loaded.data?.ofTenant === tenantId ? loaded.data.users : null
  const words = query.get('search') ?? ''
  const matching = users?.filter((each) => matches(each, words)) ?? null
  const show = (name: string, value: string) => {
    const next = { ...Object.fromEntries(query), [name]: value }
    goTo(hrefOf('/users', Object.fromEntries(Object.entries(next).filter(([, each]) => each !== ''))), {
      replaces: true,
    })
  }
  return (
    <div class="stack">
      <div class="row">
        <h1>{texts.title}</h1>
        {matching !== null && <span class="soft">{matching.length}</span>}
        {can('user:write') && (
          <a
            class="button main end"
            href={hrefOf('/users/new', isOfAll || tenantId === user.tenantId ? {} : { tenantId })}
          >
            {text.action.newRow(texts.one)}
          </a>
        )}
      </div>
      <div class="row">
        <input
          class="inline"
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={words}
          onInput={(event) => show('search', event.currentTarget.value)}
        />
        {isHostAdmin(user) && (
          <TenantChoice
            value={tenantId}
            onChange={(id) => show('tenantId', id === user.tenantId ? '' : id)}
          />
        )}
      </div>
      <DataTable
        label={texts.title}
        columns={[nameColumn, ...(isOfAll ? [tenantColumn] : []), ...columns]}
        loaded={{ ...loaded, data: matching?.slice(0, count) ?? null }}
        keyOf={({ id }) => id}
        empty={<p>{texts.none}</p>}
      />
      {matching !== null && matching.length > count && (
        <div class="row">
          <button type="button" onClick={() => setCount(count + shownAtOnce)}>
            {common.more}
          </button>
        </div>
      )}
    </div>
  )
}

function TenantChoice({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { data } = useLoaded('tenants', (signal) =>
    get<{ id: string; name: string }[]>('/api/tenants', { signal }),
  )
  // Not yet, or an address with the id in other letters.
  const isKnown = value === allTenants || data?.some(({ id }) => id === value) === true
  return (
    <select
      class="inline"
      aria-label={common.ofTenant}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value={allTenants}>{texts.ofAllTenants}</option>
      {!isKnown && <option value={value}>{value}</option>}
      {data?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}

function matches({ userName, email, firstName, lastName }: User, words: string): boolean {
  const names = `${userName} ${email} ${firstName} ${lastName}`.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => names.includes(word))
}
