/** What carts do in the background. */
import { abandonedCartsJob } from './abandoned-carts.ts';

export const jobs = [abandonedCartsJob];
