/** The search for a tenant, for operators. Enter opens the tenant; Ctrl+Enter impersonates one of its users. */
import { useRef, useState } from 'preact/hooks'
import { useApp } from '../../app-context.ts'
import { Dialog } from '../../component/dialog.tsx'
import { type Finder, type Option, OptionList } from '../../component/option-list.tsx'
import { decoded, goTo, hrefOf } from '../../router.ts'
import { visitsOf } from '../../shell/visits.ts'
import { text } from '../../text/text.ts'
import { findTenants, findUsers } from '../finders.ts'
import { ActDialog } from '../people/user-access.tsx'

const texts = text.administration.tenants
const maxRecent = 5

export function TenantSearch() {
  const { user, can } = useApp()
  const [acting, setActing] = useState<string | null>(null)
  const hasControl = useRef(false)
  const source: Finder = {
    permission: 'tenant:read',
    find: async (typed, signal) => {
      if (typed !== '') return findTenants(typed, signal)
      const recent = recentOf(user.id)
      if (recent.length === maxRecent) return recent
      const isOther = ([id]: Option) => !recent.some(([known]) => known === id)
      return [...recent, ...(await findTenants('', signal)).filter(isOther)].slice(0, maxRecent)
    },
  }
  const pick = (id: string, element: Element | null) => {
    if (hasControl.current && can('user:impersonate')) return setActing(id)
    element?.closest('details')?.removeAttribute('open')
    goTo(hrefOf(`/tenants/${encodeURIComponent(id)}`))
  }
  const note = (event: MouseEvent | KeyboardEvent) => {
    hasControl.current = event.ctrlKey || event.metaKey
  }
  return (
    <div class="tenant-search" onKeyDownCapture={note} onClickCapture={note}>
      <OptionList label={texts.search} source={source} onPick={pick} />
      <p class="note">{texts.searchKeys(text.navigation.keyControl)}</p>
      {acting !== null && <ActDialogOf tenantId={acting} onClose={() => setActing(null)} />}
    </div>
  )
}

/** @returns the tenants whose pages the user opened last */
function recentOf(userId: string): Option[] {
  return visitsOf(userId)
    .flatMap(({ path, label }): Option[] => {
      const [, id] = /^\/tenants\/(?!new$)([^/]+)$/.exec(path) ?? []
      return id === undefined ? [] : [[decoded(id), label, decoded(id)]]
    })
    .slice(0, maxRecent)
}

/** The dialogs of an impersonation: first the user, then the reason and the duration. */
function ActDialogOf({ tenantId, onClose }: { tenantId: string; onClose: () => void }) {
  const [chosen, setChosen] = useState<{ id: string; userName: string } | null>(null)
  const found = useRef<readonly Option[]>([])
  if (chosen !== null) return <ActDialog user={chosen} onClose={onClose} />
  const source: Finder = {
    permission: 'user:read',
    find: async (typed, signal) => {
      found.current = await findUsers(typed, signal, { tenantId })
      return found.current
    },
  }
  const nameOf = (id: string) => found.current.find(([value]) => value === id)?.[1] ?? id
  return (
    <Dialog title={texts.actIn(tenantId)} onClose={onClose}>
      <OptionList
        label={text.administration.users.userName}
        source={source}
        onPick={(id) => setChosen({ id, userName: nameOf(id) })}
      />
      <button type="button" onClick={onClose}>
        {text.action.cancel}
      </button>
    </Dialog>
  )
}
