/** Shows the address of a subscription, with a link to it. */
import { get } from '../../api.ts'
import { useLoaded } from '../../load.ts'
import { readTogether } from '../../read-together.ts'
import { hrefOf } from '../../router.ts'
import type { Subscription } from './types.ts'

const path = '/api/webhooks/subscriptions'

export function SubscriptionName({ id }: { id: string }) {
  const { data } = useLoaded(id, () =>
    readTogether(path, id, (ids) => get<Subscription[]>(path, { query: { 'id[in]': ids, limit: '100' } })),
  )
  const url = data?.url
  if (url === undefined) return <code>{id.slice(-12)}</code>
  return (
    <a class="wrap" href={hrefOf(`/subscriptions/${id}`)}>
      {url}
    </a>
  )
}
