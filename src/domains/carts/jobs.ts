/** What carts do in the background. */
import { abandonedCartsJob } from './abandoned.ts';

export const jobs = [abandonedCartsJob];
