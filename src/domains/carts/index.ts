/** Registers what carts add to other domains: personal data and erasure. */
import './erase.ts';
import './personal-data.ts';
