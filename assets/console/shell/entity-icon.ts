/** The icon that a definition names, or one that says nothing in particular. */
import type { IconNode } from 'lucide'
import {
  Building2,
  Calendar,
  CircleCheck,
  Clock,
  File,
  FileText,
  Folder,
  Globe,
  Image,
  Layers,
  Mail,
  MessageSquare,
  Package,
  Receipt,
  ShoppingCart,
  Star,
  Tag,
  Tags,
  Ticket,
  Truck,
  User,
  Users,
  Webhook,
} from 'lucide'
import type { EntityDescription } from '../describe.ts'

const icons: Readonly<Record<string, IconNode>> = {
  'building-2': Building2,
  calendar: Calendar,
  'circle-check': CircleCheck,
  clock: Clock,
  file: File,
  'file-text': FileText,
  folder: Folder,
  globe: Globe,
  image: Image,
  layers: Layers,
  mail: Mail,
  'message-square': MessageSquare,
  package: Package,
  receipt: Receipt,
  'shopping-cart': ShoppingCart,
  star: Star,
  tag: Tag,
  tags: Tags,
  ticket: Ticket,
  truck: Truck,
  user: User,
  users: Users,
  webhook: Webhook,
}

export function iconOf({ console: hints }: EntityDescription): IconNode {
  return icons[hints?.icon ?? ''] ?? Layers
}
