import { text } from '../../text/text.ts'

/** What is wrong with a tenant's own database. */
export function DatabaseFault({ fault }: { fault: string | null }) {
  if (fault === null) return <>{text.state.none}</>
  return <span class="badge bad">{text.administration.tenants.databaseStates[fault] ?? fault}</span>
}
