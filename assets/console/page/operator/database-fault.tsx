import { text } from '../../text/text.ts'

/** Shows the fault of a tenant's own database, if any. */
export function DatabaseFault({ fault }: { fault: string | null }) {
  if (fault === null) return <>{text.state.none}</>
  return <span class="badge bad">{text.administration.tenants.databaseStates[fault] ?? fault}</span>
}
