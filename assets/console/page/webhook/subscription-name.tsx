/** A subscription by its address. */
import { get } from '../../api.ts'
import { useLoaded } from '../../load.ts'
import { hrefOf } from '../../router.ts'
import type { Subscription } from './types.ts'

/** The rows of a page ask together. */
let asked: Promise<readonly Subscription[]> | null = null

async function loadSubscriptions(): Promise<readonly Subscription[]> {
  asked ??= get<readonly Subscription[]>('/api/webhooks/subscriptions').finally(() => {
    asked = null
  })
  return asked
}

export function SubscriptionName({ id }: { id: string }) {
  const { data } = useLoaded(id, loadSubscriptions)
  const url = data?.find((each) => each.id === id)?.url
  if (url === undefined) return <code>{id.slice(-12)}</code>
  return (
    <a class="wrap" href={hrefOf(`/subscriptions/${id}`)}>
      {url}
    </a>
  )
}
