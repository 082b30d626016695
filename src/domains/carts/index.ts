/** Registers what carts add to other domains: personal data and erasure. */
import './personal-data.ts';
import './personal-data.ts';
