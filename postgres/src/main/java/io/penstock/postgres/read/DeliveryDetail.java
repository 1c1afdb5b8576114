package io.penstock.postgres.read;

import java.util.List;

/** One delivery with its attempts, oldest first. */
public record DeliveryDetail(DeliveryView delivery, List<AttemptView> attempts) {}
