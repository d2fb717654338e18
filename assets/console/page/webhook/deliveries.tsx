/** Deliveries: those of all subscriptions or of one, and one with every attempt. */
import { usePlace } from '../../router.ts'
import { DeliveryDetail } from './delivery-detail.tsx'
import { DeliveryList } from './delivery-list.tsx'

export default function DeliveryPages() {
  const [, , id] = usePlace().path.split('/')
  return id === undefined ? <DeliveryList /> : <DeliveryDetail key={id} id={id} />
}
