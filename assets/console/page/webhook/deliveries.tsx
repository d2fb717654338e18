/** The pages of deliveries: the list of all or of one subscription, and a delivery with its attempts. */
import { usePlace } from '../../router.ts'
import { DeliveryDetail } from './delivery-detail.tsx'
import { DeliveryList } from './delivery-list.tsx'

export default function DeliveryPages() {
  const [, , id] = usePlace().path.split('/')
  return id === undefined ? <DeliveryList /> : <DeliveryDetail key={id} id={id} />
}
