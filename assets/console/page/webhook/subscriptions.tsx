/** The pages of subscriptions: the list, a subscription, and the forms to create and change one. */
import { usePlace } from '../../router.ts'
import { SubscriptionDetail } from './subscription-detail.tsx'
import { EditSubscription, NewSubscription } from './subscription-form.tsx'
import { SubscriptionList } from './subscription-list.tsx'

export default function SubscriptionPages() {
  const [, , id, part] = usePlace().path.split('/')
  if (id === undefined) return <SubscriptionList />
  if (id === 'new') return <NewSubscription />
  if (part === 'edit') return <EditSubscription key={id} id={id} />
  return <SubscriptionDetail key={id} id={id} />
}
