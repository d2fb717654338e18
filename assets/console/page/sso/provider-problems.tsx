/** Lists why sign-ins by the identity provider were refused lately, and why roles did not follow the groups. */
import { get } from '../../api.ts'
import { moment } from '../../component/columns.tsx'
import { type Column, DataTable } from '../../component/data-table.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'

const texts = text.access.sso
const actions = ['sso.refused', 'sso.rolesKept']
const maxShown = 5

interface Problem {
  id: string
  createdAt: string
  detail: { reason?: string }
}

export function ProviderProblems() {
  const loaded = useLoaded('problems of the provider', loadProblems)
  return (
    <section class="stack">
      <h2>{texts.problems}</h2>
      <DataTable
        label={texts.problems}
        columns={columns}
        loaded={loaded}
        keyOf={({ id }) => id}
        empty={<p>{texts.noProblems}</p>}
      />
    </section>
  )
}

const columns: readonly Column<Problem>[] = [
  moment(text.administration.audit.when, 'createdAt'),
  { label: texts.reason, show: ({ detail }) => detail.reason ?? '' },
]

async function loadProblems(signal: AbortSignal): Promise<Problem[]> {
  const lists = await Promise.all(
    actions.map((action) =>
      get<Problem[]>('/api/audit', { query: { action, limit: `${maxShown}` }, signal }),
    ),
  )
  return lists
    .flat()
    .sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
    .slice(0, maxShown)
}
