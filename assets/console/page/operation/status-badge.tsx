/** The state of a job or of a mail. */
const kinds: Record<string, string> = {
  SUCCEEDED: 'badge good',
  SENT: 'badge good',
  FAILING: 'badge bad',
  DEAD: 'badge bad',
}

export function StatusBadge({ status }: { status: string }) {
  return <span class={kinds[status] ?? 'badge'}>{status}</span>
}
